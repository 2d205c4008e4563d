import { assumptions } from "../service/assumptions.ts";
import { type Configuration, type Finding, findDifference, neededOptions } from "./configuration.ts";
import { describeObservation, type Observation } from "./exchange.ts";
import type { Survey } from "./survey.ts";

/** What a survey has shown. */
export interface Report {
  readonly text: string;
  /** 0: the service does what the mock does; 1: it does not; 3: that was not found out. */
  readonly status: 0 | 1 | 3;
  /** Whether everything was compared, except what the user excepts. */
  readonly isComplete: boolean;
  /** The exceptions that a run with the settled configuration needs. */
  readonly exceptions: readonly string[];
}

/**
 * Compares the service with the mock. The text is the same in every run if nothing has changed, so that it can be compared
 * with an earlier one.
 *
 * @param settled - The configuration with which they agree as far as possible.
 * @param excepted - The differences that the user knows, by their names, or with what the service did.
 * @param isVerbose - Whether the text has every detail even if there is no difference.
 */
export async function reportOn(
  { findings, open, unwell, partial }: Survey,
  given: Configuration,
  settled: Configuration,
  excepted: readonly string[],
  isVerbose: boolean,
): Promise<Report> {
  const agreed = findings.filter(({ mocked }) => mocked === undefined).map(({ name }) => name);
  const differing = findings.filter(({ mocked }) => mocked !== undefined);
  const isExcepted = (finding: Finding) => excepted.includes(finding.name) || excepted.includes(exceptionOf(finding));
  const expected = differing.filter(isExcepted);
  const unexpected = differing.filter((finding) => !isExcepted(finding));
  const needed = [...open.keys(), ...expected.flatMap((finding) => [finding.name, exceptionOf(finding)])];
  const gone = excepted.filter((exception) => !needed.includes(exception) && !open.has(nameOf(exception)));
  const isComplete = unwell === undefined && [...open.keys()].every((name) => excepted.map(nameOf).includes(name));
  const isChanged = unexpected.length > 0 || gone.length > 0;
  const untried = [...partial, ...UNTRIED];
  // Also what agrees now: an option that another difference needs may change it.
  const unsettled = new Set<Finding>();
  for (const finding of findings) if (await findDifference(settled, finding)) unsettled.add(finding);
  const texts = new Map<Finding, string>();
  for (const finding of differing) {
    const advice = unsettled.has(finding)
      ? `no option makes them agree: ${flagOf(exceptionOf(finding))}`
      : `changed by: ${(await neededOptions(finding, given, settled)).join(", ")}`;
    texts.set(finding, explain(finding, advice));
  }
  const textOf = (finding: Finding) => texts.get(finding) as string;
  const details = [
    section("The service may have changed:", unwell === undefined ? [] : [unwell]),
    section("The service and the mock differ:", unexpected.map(textOf)),
    section("They differ as --except says:", expected.map(textOf)),
    section("No longer so; leave it out:", gone.map(flagOf)),
    `They agree in: ${agreed.join(", ") || "nothing"}.\n`,
    section("Not found out:", [...open].map(lineOf)),
    section("Not tried:", untried),
  ];
  const summary = `Agreed in ${agreed.length}, ${expected.length + open.size} as --except says, not tried ${untried.length}.`;
  const hasDetails = isVerbose || isChanged || !isComplete;
  return {
    status: isComplete || (isChanged && unwell === undefined) ? (isChanged ? 1 : 0) : 3,
    isComplete,
    exceptions: [...unsettled].map(exceptionOf),
    text: hasDetails ? details.join("") : `${summary} --verbose names them.\n`,
  };
}

/** The name in `NAME` or `NAME=WHAT`. */
export function nameOf(exception: string): string {
  return exception.split("=", 1)[0] as string;
}

/** The name with what the service did, as a word of a shell: a change of that is a difference again. */
function exceptionOf({ name, reply }: Finding): string {
  return `${name}=${describeObservation(reply)
    .replace(/[^\w/.+]+/g, "-")
    .replace(/-$/, "")}`;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : [title, ...entries].join("\n  ").concat("\n");
}

const flagOf = (exception: string) => `--except ${exception}`;
const lineOf = ([name, reason]: readonly [string, string]) => `${name}: ${reason}`;

function explain({ name, probe, reply, mocked }: Finding, advice: string): string {
  const lines = [
    `${name}, if a request has ${probe.sends}`,
    `  service: ${describeObservation(reply)}`,
    `  mock:    ${describeObservation(mocked as Observation)}`,
    `  ${advice}`,
  ];
  return lines.join("\n  ");
}

/** What stays unknown in every run. */
const UNTRIED = Object.entries(assumptions).flatMap(([name, { probe }]) =>
  "none" in probe ? lineOf([name, probe.none]) : [],
);

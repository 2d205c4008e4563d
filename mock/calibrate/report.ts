import { assumptions } from "../service/assumptions.ts";
import { type Configuration, compare, neededOptions } from "./configuration.ts";
import { describeObservation, type Observation } from "./exchange.ts";
import type { Finding, Survey } from "./survey.ts";

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

/** A difference of the service and the mock. */
interface Difference {
  readonly name: string;
  /** The name with what the service did, as a word of a shell: a change of that is a difference again. */
  readonly exception: string;
  readonly text: string;
  /** Whether options can make them agree. */
  readonly isSettled: boolean;
}

/**
 * Compares the service with the mock. The text is the same in every run if nothing has changed, so that it can be compared
 * with an earlier one.
 *
 * @param settled - The configuration with which they agree as far as possible.
 * @param excepted - The differences that the user knows, by their names, or with what the service did.
 */
export async function reportOn(
  survey: Survey,
  given: Configuration,
  settled: Configuration,
  excepted: readonly string[],
): Promise<Report> {
  const { findings, open, requests, plants } = survey;
  const agreed: string[] = [];
  const differences: Difference[] = [];
  for (const finding of findings) {
    const { isAlike, mocked } = await compare(given, finding);
    if (isAlike) agreed.push(finding.name);
    else differences.push(await explain(finding, mocked, given, settled));
  }
  const isExcepted = ({ name, exception }: Difference) => excepted.includes(name) || excepted.includes(exception);
  const expected = differences.filter(isExcepted);
  const unexpected = differences.filter((difference) => !isExcepted(difference));
  const needed = [...open.keys(), ...expected.flatMap(({ name, exception }) => [name, exception])];
  const gone = excepted.filter((exception) => !needed.includes(exception) && !open.has(nameOf(exception)));
  const isComplete = [...open.keys()].every((name) => excepted.map(nameOf).includes(name));
  const whole = isComplete ? 0 : 3;
  return {
    status: unexpected.length > 0 || gone.length > 0 ? 1 : whole,
    isComplete,
    exceptions: differences.filter(({ isSettled }) => !isSettled).map(({ exception }) => exception),
    text: [
      `${requests} requests were sent. ${plants} plants may exist now.\n`,
      section("The service and the mock differ:", unexpected.map(textOf)),
      section("They differ as --except says:", expected.map(textOf)),
      section("No longer so; leave it out:", gone.map(flagOf)),
      `They agree in: ${agreed.join(", ") || "nothing"}.\n`,
      section("Not found out:", [...open].map(lineOf)),
      section("Not tried:", [...findings.flatMap(untriedBy), ...UNTRIED]),
    ].join(""),
  };
}

/** The name in `NAME` or `NAME=WHAT`. */
export function nameOf(exception: string): string {
  return exception.split("=", 1)[0] as string;
}

function section(title: string, entries: readonly string[]): string {
  return entries.length === 0 ? "" : [title, ...entries].join("\n  ").concat("\n");
}

const textOf = ({ text }: Difference) => text;
const flagOf = (exception: string) => `--except ${exception}`;
const lineOf = ([name, reason]: readonly [string, string]) => `${name}: ${reason}`;

async function explain(
  finding: Finding,
  mocked: Observation,
  given: Configuration,
  settled: Configuration,
): Promise<Difference> {
  const { name, probe, reply } = finding;
  const done = describeObservation(reply);
  const exception = `${name}=${done.replace(/[^\w/.+]+/g, "-").replace(/-$/, "")}`;
  const { isAlike: isSettled } = await compare(settled, finding);
  const advice = isSettled
    ? `changed by: ${(await neededOptions(finding, given, settled)).join(", ")}`
    : `no option makes them agree: ${flagOf(exception)}`;
  const lines = [
    `${name}, if a request has ${probe.sends}`,
    `  service: ${done}`,
    `  mock:    ${describeObservation(mocked)}`,
    `  ${advice}`,
  ];
  return { name, exception, isSettled, text: lines.join("\n  ") };
}

/** What stays unknown in every run. */
const UNTRIED = Object.entries(assumptions).flatMap(([name, { probe }]) =>
  "none" in probe ? lineOf([name, probe.none]) : [],
);

/** What one request cannot show. */
function untriedBy({ name, probe, reply: { isAccepted } }: Finding): string[] {
  if (!probe.isLimit) return [];
  const [did, others] = isAccepted ? ["accepted", "larger"] : ["rejected", "smaller"];
  return [`${name}: ${did} ${probe.sends}; ${others} ones were not tried`];
}

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
  const agreed: string[] = [];
  const differences: Difference[] = [];
  for (const finding of survey.findings) {
    const { isAlike, mocked } = await compare(given, finding, survey);
    if (isAlike) agreed.push(finding.name);
    else differences.push(await explain(finding, mocked, given, settled, survey));
  }
  const isKnown = ({ name, exception }: Difference) => excepted.includes(name) || excepted.includes(exception);
  const known = differences.filter(isKnown);
  const unexpected = differences.filter((difference) => !isKnown(difference));
  const isOpen = (exception: string) => survey.open.has(nameOf(exception));
  const gone = excepted.filter(
    (given) => !isOpen(given) && !known.some(({ name, exception }) => given === name || given === exception),
  );
  const isComplete = [...survey.open.keys()].every((name) => excepted.some((given) => nameOf(given) === name));
  const isDifferent = unexpected.length > 0 || gone.length > 0;
  return {
    status: isDifferent ? 1 : isComplete ? 0 : 3,
    isComplete,
    exceptions: differences.filter(({ isSettled }) => !isSettled).map(({ exception }) => exception),
    text: [
      `${survey.requests} requests were sent. ${survey.plants} plants may exist now.\n`,
      ...section(
        "The service and the mock differ:",
        unexpected.map(({ text }) => text),
      ),
      ...section(
        "They differ as --except says:",
        known.map(({ text }) => text),
      ),
      ...section(
        "No longer so; leave it out:",
        gone.map((exception) => `--except ${exception}`),
      ),
      `They agree in: ${agreed.join(", ") || "nothing"}.\n`,
      ...section(
        "Not found out:",
        [...survey.open].map(([name, reason]) => `${name}: ${reason}`),
      ),
      ...section("Not tried:", untried(survey)),
    ].join(""),
  };
}

/** The name in `NAME` or `NAME=WHAT`. */
export function nameOf(exception: string): string {
  return exception.split("=", 1)[0] as string;
}

function section(title: string, entries: readonly string[]): string[] {
  return entries.length === 0 ? [] : [`${title}\n`, ...entries.map((entry) => `  ${entry}\n`)];
}

async function explain(
  finding: Finding,
  mocked: Observation,
  given: Configuration,
  settled: Configuration,
  survey: Survey,
): Promise<Difference> {
  const { name, probe, reply } = finding;
  const done = describeObservation(reply);
  const exception = `${name}=${done.replace(/[^\w/.+]+/g, "-").replace(/-$/, "")}`;
  const { isAlike: isSettled } = await compare(settled, finding, survey);
  const advice = isSettled
    ? `changed by: ${(await neededOptions(finding, given, settled, survey)).join(", ")}`
    : `no option makes them agree: --except ${exception}`;
  const lines = [
    `${name}, if a request has ${probe.sends}`,
    `  service: ${done}`,
    `  mock:    ${describeObservation(mocked)}`,
    `  ${advice}`,
  ];
  return { name, exception, isSettled, text: lines.join("\n  ") };
}

/** What stays unknown in every run. */
function untried({ findings }: Survey): string[] {
  const limits = findings.flatMap(({ name, probe, reply: { isAccepted } }) => {
    const { sends, untried: { accepted, rejected } = {} } = probe;
    const [did, others] = isAccepted ? ["accepted", accepted] : ["rejected", rejected];
    return others === undefined ? [] : `${name}: ${did} ${sends}; ${others} were not tried`;
  });
  const reasons = Object.entries(assumptions).flatMap(([name, { probe }]) =>
    "none" in probe ? `${name}: ${probe.none}` : [],
  );
  return [...limits, ...reasons];
}

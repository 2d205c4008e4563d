import { type Configuration, type Finding, findDifference } from "./configuration.ts";
import { describeObservation, type Observation } from "./observe.ts";
import type { Survey } from "./survey.ts";

/** What a survey has shown. */
export interface Report {
  readonly text: string;
  /** 0: the service does what the mock does; 1: it does not; 3: that was not found out. */
  readonly status: 0 | 1 | 3;
  /** Whether everything was compared, except what the user excepts. */
  readonly isComplete: boolean;
  /** The exceptions that a run with the fitted configuration needs. */
  readonly exceptions: readonly string[];
}

/**
 * Compares the service with the mock. The text is the same in every run if nothing has changed, so that it can be compared
 * with an earlier one.
 *
 * @param fitted - The configuration with which they agree as far as possible.
 * @param excepted - The differences that the user knows, by their names, or with what the service did.
 */
export async function reportOn(
  { findings, open, untried }: Survey,
  given: Configuration,
  fitted: Configuration,
  excepted: readonly string[],
): Promise<Report> {
  const agreed: string[] = [];
  const expected: string[] = [];
  const unexpected: string[] = [];
  const used: string[] = [];
  const exceptions: string[] = [];
  for (const finding of findings) {
    const { name } = finding;
    const exception = exceptionOf(finding);
    const mocked = await findDifference(given, finding);
    // Also of what agrees now: an option that another difference needs may change it.
    const isExpressed = (await findDifference(fitted, finding)) === undefined;
    if (!isExpressed) exceptions.push(exception);
    if (mocked === undefined) {
      agreed.push(name);
      continue;
    }
    const isExcepted = excepted.includes(name) || excepted.includes(exception);
    if (isExcepted) used.push(name, exception);
    (isExcepted ? expected : unexpected).push(entryOf(finding, mocked, isExpressed ? undefined : exception));
  }
  const gone = excepted.filter((exception) => !used.includes(exception) && !open.has(nameOf(exception)));
  const isComplete = [...open.keys()].every((name) => excepted.map(nameOf).includes(name));
  const isChanged = unexpected.length > 0 || gone.length > 0;
  const details = [
    section("The service and the mock differ:", unexpected),
    section("They differ as --except says:", expected),
    section("No longer so; leave it out:", gone.map(flagOf)),
    `They agree in: ${agreed.join(", ")}.\n`,
    section("Not found out:", [...open].map(lineOf)),
    section("Not tried:", untried),
  ];
  return {
    status: isChanged ? 1 : isComplete ? 0 : 3,
    isComplete,
    exceptions,
    text: details.join(""),
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

function entryOf({ name, probe, reply }: Finding, mocked: Observation, exception: string | undefined): string {
  const lines = [
    `${name}, if a request has ${probe.sends}`,
    `  service: ${describeObservation(reply)}`,
    `  mock:    ${describeObservation(mocked)}`,
    ...(exception === undefined ? [] : [`  no option makes them agree: ${flagOf(exception)}`]),
  ];
  return lines.join("\n  ");
}

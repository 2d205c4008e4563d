import { type Configuration, changedOptions, compare } from "./configuration.ts";
import { describeObservation, type Observation } from "./exchange.ts";
import type { Finding, Survey } from "./survey.ts";

/** What a survey has shown. */
export interface Report {
  readonly text: string;
  readonly hasDifferences: boolean;
}

/**
 * Compares the service with the mock. The text is the same in every run if nothing has changed, so that it can be compared
 * with an earlier one.
 *
 * @param settled - The configuration with which they agree as far as possible.
 */
export async function reportOn(survey: Survey, given: Configuration, settled: Configuration): Promise<Report> {
  const agreed: string[] = [];
  const different: string[] = [];
  for (const finding of survey.findings) {
    const { isAlike, mocked } = await compare(given, finding, survey);
    if (isAlike) {
      agreed.push(finding.name);
      continue;
    }
    const isSettled = (await compare(settled, finding, survey)).isAlike;
    const options = changedOptions(finding, given, settled).join(", ");
    const advice = isSettled ? `changed by: ${options}` : "no option makes them agree";
    different.push(describeDifference(finding, mocked, advice));
  }
  const open = survey.open.map(([name, reason]) => `  ${name}: ${reason}\n`);
  const { status } = survey.created;
  return {
    hasDifferences: different.length > 0,
    text: [
      `${survey.requests} requests were sent. ${survey.plants} plants may exist now.\n`,
      status === 200 ? "" : `A valid plant returned ${status}; the contract declares 200.\n`,
      different.length === 0 ? "The service and the mock do not differ.\n" : "The service and the mock differ:\n",
      ...different,
      `They agree in: ${agreed.join(", ") || "nothing"}.\n`,
      "Not found out:\n",
      ...open,
    ].join(""),
  };
}

function describeDifference({ name, probe, reply }: Finding, mocked: Observation, advice: string): string {
  return `  ${name}, if a request has ${probe.sends}
    service: ${describeObservation(reply)}
    mock:    ${describeObservation(mocked)}
    ${advice}
`;
}

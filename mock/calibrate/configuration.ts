import { createMockPlantStore } from "../memory/create-mock.ts";
import type { ErrorValue } from "../service/answer.ts";
import { type Cause, causes } from "../service/assumptions.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { Reply } from "../service/wire-reply.ts";
import { describeObservation, exchange, type Observation } from "./exchange.ts";
import type { Finding } from "./survey.ts";

/** The options that a survey can set. */
export const OPTIONS = ["auth", "duplicateIds", "unknownFields", "mediaType", "maxBodyBytes", "replies"] as const;
export type Configuration = Pick<MockPlantStoreOptions, (typeof OPTIONS)[number]>;

/** Whether a mock with this configuration does what the service did, and what it does. */
export interface Comparison {
  readonly isAlike: boolean;
  readonly mocked: Observation;
}

export async function compare(configuration: Configuration, finding: Finding): Promise<Comparison> {
  const { probe, plant } = finding;
  const initialPlants = probe.isDuplicate ? [plant] : [];
  const { baseUrl, token, fetch } = createMockPlantStore({ ...configuration, initialPlants }).session();
  const mocked = (await exchange({ baseUrl, token, send: fetch }, probe, plant)) as Observation;
  return { mocked, isAlike: isAlike(mocked, finding) };
}

function isAlike(mocked: Observation, { reply, created }: Finding): boolean {
  if (!mocked.isAccepted || !reply.isAccepted || created === undefined) {
    return describeObservation(mocked) === describeObservation(reply);
  }
  const isUsual = reply.status === mocked.status || reply.status === created.status;
  return isUsual && reply.oddities.every((oddity) => created.oddities.includes(oddity));
}

/** The configuration with which the mock does what the service did, as far as options can express it. */
export async function settle(given: Configuration, findings: readonly Finding[]): Promise<Configuration> {
  let configuration = given;
  // First which requests are accepted: the rejection of one may need that of another.
  for (const finding of findings) {
    const { mocked } = await compare(configuration, finding);
    const { isAccepted } = finding.reply;
    if (mocked.isAccepted === isAccepted) continue;
    configuration = { ...configuration, ...(isAccepted ? finding.probe.accepted : finding.probe.rejected) };
  }
  for (const finding of findings) {
    for (const candidate of withReplies(configuration, finding)) {
      if (!(await compare(candidate, finding)).isAlike) continue;
      configuration = candidate;
      break;
    }
  }
  return configuration;
}

/** The same configuration, with the `error` value of a rejection, and with the whole response: the first that is enough counts. */
function withReplies(configuration: Configuration, { name, reply }: Finding): Configuration[] {
  if (!isCause(name) || reply.isAccepted) return [];
  const { error } = reply;
  const replies: (ErrorValue | Reply)[] = error === undefined ? [replyOf(reply)] : [{ error }, replyOf(reply)];
  return [
    configuration,
    ...replies.map((value) => ({ ...configuration, replies: { ...configuration.replies, [name]: value } })),
  ];
}

function isCause(name: string): name is Cause {
  return (causes as readonly string[]).includes(name);
}

/** A response that a mock gives as the service did. The texts of the service may differ in each run. */
function replyOf({ status, headers: all, error }: Observation): Reply {
  const { "Content-Type": type, ...others } = all;
  const headers = error !== undefined && type === "application/json" ? others : all;
  return {
    status,
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(error !== undefined && { body: { error, message: "calibrate keeps no messages of the service" } }),
  };
}

/** The names of the options whose new value a mock needs to do what the service did. */
export async function neededOptions(finding: Finding, given: Configuration, settled: Configuration): Promise<string[]> {
  const needed: string[] = [];
  for (const option of OPTIONS) {
    if ((await compare({ ...settled, [option]: given[option] }, finding)).isAlike) continue;
    needed.push(option === "replies" && isCause(finding.name) ? `replies.${finding.name}` : option);
  }
  return needed;
}

import { createMockPlantStore } from "../memory/create-mock.ts";
import type { ErrorValue } from "../service/answer.ts";
import { type Cause, causes } from "../service/assumptions.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { Reply } from "../service/wire-reply.ts";
import { describeObservation, exchange, type Observation } from "./exchange.ts";
import type { Finding, Survey } from "./survey.ts";

/** The options that a survey can set. */
export type Configuration = Pick<
  MockPlantStoreOptions,
  "auth" | "duplicateIds" | "unknownFields" | "mediaType" | "maxBodyBytes" | "replies"
>;

/** Whether a mock with this configuration does what the service did, and what it does. */
export interface Comparison {
  readonly isAlike: boolean;
  readonly mocked: Observation;
}

export async function compare(configuration: Configuration, finding: Finding, survey: Survey): Promise<Comparison> {
  const { probe, plant } = finding;
  const seed = probe.isDuplicate ? [plant] : [];
  const { baseUrl, token, fetch } = createMockPlantStore({ ...configuration, seed }).session();
  const mocked = (await exchange({ baseUrl, token, send: fetch }, probe, plant)) as Observation;
  return { mocked, isAlike: isAlike(mocked, finding, survey.created) };
}

function isAlike(mocked: Observation, { name, reply }: Finding, created: Observation): boolean {
  if (!mocked.isAccepted || !reply.isAccepted || name === "created") {
    return describeObservation(mocked) === describeObservation(reply);
  }
  // What is odd about every plant of the service is a difference of `created` alone.
  const isUsual = reply.status === mocked.status || reply.status === created.status;
  return isUsual && reply.oddities.every((oddity) => created.oddities.includes(oddity));
}

/** The names of the options whose new value a mock needs to do what the service did. */
export async function neededOptions(
  finding: Finding,
  given: Configuration,
  settled: Configuration,
  survey: Survey,
): Promise<string[]> {
  const changed: [name: string, without: Configuration][] = [];
  for (const option of SWITCHES) {
    if (given[option] !== settled[option]) changed.push([option, { ...settled, [option]: given[option] }]);
  }
  for (const cause of causes) {
    const reply = given.replies?.[cause];
    if (reply !== settled.replies?.[cause]) changed.push([`replies.${cause}`, withReply(settled, cause, reply)]);
  }
  const needed: string[] = [];
  for (const [name, without] of changed) {
    if (!(await compare(without, finding, survey)).isAlike) needed.push(name);
  }
  return needed;
}

const SWITCHES = ["auth", "duplicateIds", "unknownFields", "mediaType", "maxBodyBytes"] as const;

/** The configuration with which the mock does what the service did, as far as options can express it. */
export async function settle(given: Configuration, survey: Survey): Promise<Configuration> {
  let configuration = given;
  // First which requests are accepted: the rejection of one may need that of another.
  for (const finding of survey.findings) {
    const { mocked } = await compare(configuration, finding, survey);
    const { isAccepted } = finding.reply;
    if (mocked.isAccepted === isAccepted) continue;
    configuration = { ...configuration, ...(isAccepted ? finding.probe.accepted : finding.probe.rejected) };
  }
  for (const finding of survey.findings) {
    if (isCause(finding.name) && !finding.reply.isAccepted) {
      configuration = await settleReply(configuration, finding.name, finding, survey);
    }
  }
  return configuration;
}

function isCause(name: string): name is Cause {
  return (causes as readonly string[]).includes(name);
}

/** The configuration with the response to one cause: its `error` value alone, or nothing, if that is enough. */
async function settleReply(
  given: Configuration,
  cause: Cause,
  finding: Finding,
  survey: Survey,
): Promise<Configuration> {
  const { error } = finding.reply;
  const replies: (ErrorValue | Reply)[] = error === undefined ? [] : [{ error }];
  let configuration = given;
  for (const reply of [...replies, replyOf(finding.reply)]) {
    if ((await compare(configuration, finding, survey)).isAlike) break;
    configuration = withReply(given, cause, reply);
  }
  return configuration;
}

function withReply(given: Configuration, cause: Cause, reply: ErrorValue | Reply | undefined): Configuration {
  return { ...given, replies: { ...given.replies, [cause]: reply } };
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

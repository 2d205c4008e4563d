import { createMockPlantStore } from "../memory/create-mock.ts";
import type { ErrorValue } from "../service/answer.ts";
import { type Cause, causes } from "../service/assumptions.ts";
import type { MockPlantStoreOptions } from "../service/mock-options.ts";
import type { Reply } from "../service/wire-reply.ts";
import { exchange, type Observation } from "./exchange.ts";
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

export async function compare(configuration: Configuration, finding: Finding, { plant }: Survey): Promise<Comparison> {
  const { baseUrl, token, fetch } = createMockPlantStore({ ...configuration, seed: [plant] });
  const mocked = (await exchange({ baseUrl, token, fetch }, finding.probe, finding.plant)) as Observation;
  return { mocked, isAlike: isAlike(mocked, finding.reply) };
}

/** Messages and the values of headers are not compared, nor successes: the contract declares those. */
function isAlike(one: Observation, other: Observation): boolean {
  if (one.isAccepted || other.isAccepted) return one.isAccepted === other.isAccepted;
  const compared = ({ status, error, headers }: Observation) => `${[status, error?.error, ...Object.keys(headers)]}`;
  return compared(one) === compared(other);
}

/** The names of the options that `settle` has changed for a finding. */
export function changedOptions({ name, probe }: Finding, given: Configuration, settled: Configuration): string[] {
  const switches = Object.keys({ ...probe.accepted, ...probe.rejected }) as (keyof Configuration)[];
  const replied = isCause(name) && given.replies?.[name] !== settled.replies?.[name];
  return [...switches.filter((option) => given[option] !== settled[option]), ...(replied ? [`replies.${name}`] : [])];
}

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
      configuration = await withReply(configuration, finding.name, finding, survey);
    }
  }
  return configuration;
}

function isCause(name: string): name is Cause {
  return (causes as readonly string[]).includes(name);
}

/** The configuration with the response to one cause: its `error` value alone, or nothing, if that is enough. */
async function withReply(given: Configuration, cause: Cause, finding: Finding, survey: Survey): Promise<Configuration> {
  const { error } = finding.reply;
  const replies: (ErrorValue | Reply)[] = error === undefined ? [] : [{ error: error.error }];
  let configuration = given;
  for (const reply of [...replies, replyOf(finding.reply)]) {
    if ((await compare(configuration, finding, survey)).isAlike) break;
    configuration = withCause(given, cause, reply);
  }
  return configuration;
}

function withCause(given: Configuration, cause: Cause, reply: ErrorValue | Reply): Configuration {
  return { ...given, replies: { ...given.replies, [cause]: reply } };
}

/** A response that a mock gives as the service did. */
function replyOf({ status, headers, text, error }: Observation): Reply {
  const { "Content-Type": type, ...others } = headers;
  if (error !== undefined && type?.startsWith("application/json")) return { status, ...headersOf(others), body: error };
  return { status, ...headersOf(headers), body: text === "" ? undefined : text };
}

function headersOf(headers: Record<string, string>): Pick<Reply, "headers"> {
  return Object.keys(headers).length === 0 ? {} : { headers };
}

import type { NewPlant } from "../../src/contract/plant.ts";
import { createMockPlantStore } from "../memory/create-mock.ts";
import { assumptions } from "../service/assumptions.ts";
import type { ErrorValue, MockPlantStoreOptions } from "../service/mock-options.ts";
import type { AssumptionName } from "../service/service-reply.ts";
import type { Reply } from "../service/wire-reply.ts";
import { describeObservation, type Observation, observe } from "./observe.ts";
import type { Probe } from "./probes.ts";

/** The options that a survey can set. */
export const OPTIONS = ["auth", "duplicateIds", "unknownFields", "mediaType", "replies"] as const;
export type Configuration = Pick<MockPlantStoreOptions, (typeof OPTIONS)[number]>;

/** What the service did with the request of one probe. */
export interface Finding {
  readonly name: string;
  readonly probe: Probe;
  readonly plant: NewPlant;
  readonly reply: Observation;
  /** The response to a valid plant: what is odd about every plant is a difference of that alone, where this is absent. */
  readonly created: Observation | undefined;
  /** What the mock does instead, with the configuration that is compared; undefined if it does the same. */
  readonly mocked?: Observation | undefined;
}

/** What a mock with this configuration does instead of what the service did; undefined if it does the same. */
export async function findDifference(configuration: Configuration, finding: Finding): Promise<Observation | undefined> {
  const { probe, plant } = finding;
  const initialPlants = probe.isDuplicate ? [plant] : [];
  const { baseUrl, token, fetch } = createMockPlantStore({ ...configuration, initialPlants }).session();
  const mocked = await observe({ baseUrl, token, fetch }, probe, plant);
  return isAlike(mocked, finding) ? undefined : mocked;
}

/** Whether a mock does what the service did. */
function isAlike(mocked: Observation, { reply, created }: Finding): boolean {
  if (!mocked.isAccepted || !reply.isAccepted || created === undefined) {
    return describeObservation(mocked) === describeObservation(reply);
  }
  const isUsual = reply.status === mocked.status || reply.status === created.status;
  return isUsual && reply.oddities.every((oddity) => created.oddities.includes(oddity));
}

/** The configuration with which the mock does what the service did, as far as options can express it. */
export async function fitConfiguration(given: Configuration, findings: readonly Finding[]): Promise<Configuration> {
  let configuration = given;
  // First which requests are accepted: the rejection of one may need that of another.
  for (const finding of findings) {
    const { isAccepted } = finding.reply;
    const mocked = await findDifference(configuration, finding);
    if (mocked === undefined || mocked.isAccepted === isAccepted) continue;
    configuration = { ...configuration, ...(isAccepted ? finding.probe.accepted : finding.probe.rejected) };
  }
  for (const finding of findings) {
    for (const candidate of withReplies(configuration, finding)) {
      if ((await findDifference(candidate, finding)) !== undefined) continue;
      configuration = candidate;
      break;
    }
  }
  return configuration;
}

/** The same configuration, with the `error` value of a rejection, and with the whole response: the first that is enough counts. */
function withReplies(configuration: Configuration, { name, reply }: Finding): Configuration[] {
  const { refusal } = assumptions[name as AssumptionName] ?? {};
  if (refusal === undefined || reply.isAccepted) return [];
  const { error } = reply;
  const whole = replyOf(reply);
  const replies: (ErrorValue | Reply)[] = error === undefined ? [whole] : [{ error }, whole];
  return [
    configuration,
    ...replies.map((value) => ({ ...configuration, replies: { ...configuration.replies, [name]: value } })),
  ];
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

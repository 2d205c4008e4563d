import { kindOf } from "../../src/checks/describe.ts";
import { baseUrlProblem, normalizeBaseUrl } from "../../src/checks/http/base-url.ts";
import { isRecord } from "../../src/checks/objects.ts";
import { boolean, checkedLater, int32, integer, mustBe, oneOf, type Rules, required } from "../../src/checks/rules.ts";
import type { NewPlant, ValidNewPlant } from "../../src/contract/plant.ts";
import { type Clock, systemClock } from "../time/clock.ts";
import { JumpingClock } from "../time/virtual-clock.ts";
import { assumptions, causes, DEFAULT_MAX_BODY_BYTES } from "./assumptions.ts";
import { resolveAuth } from "./authentication.ts";
import { checkFields, checkOptions } from "./check-options.ts";
import type { Fault } from "./faults/fault-table.ts";
import type { CauseReplies, ErrorValue, MockPlantStoreOptions } from "./mock-options.ts";
import { resolveRateLimit } from "./rate-limit.ts";
import { type Cause, CONFIGURED, type ServiceReply, type Source } from "./service-reply.ts";
import { PlantList, toStoredPlant } from "./stored-plants.ts";
import { checkReply, encodeReply, JSON_HEADERS, type Reply, type WireReply } from "./wire-reply.ts";

/** A simulated run, as the service sees it. */
export interface ServiceObserver {
  /** The fault of an admitted request, before any that was injected. */
  drawFault(plant: ValidNewPlant | undefined): Fault | undefined;
  /** Called with each plant that is stored. */
  onStored(plant: ValidNewPlant): void;
}

/** The options, checked, with every default filled in. */
export type ResolvedOptions = ReturnType<typeof resolveOptions>;

/** The rule of each option. The members of an object are checked where it is read. */
export const mockRules: Rules<MockPlantStoreOptions> = {
  initialPlants: mustBe("an iterable of plants", (value) => Symbol.iterator in Object(value)),
  duplicateIds: oneOf("accept", "reject"),
  auth: (value) =>
    typeof value === "boolean" || typeof value === "object"
      ? undefined
      : `must be true, false, or { tokens }, not ${kindOf(value)}`,
  rateLimit: checkedLater,
  time: oneOf("real", "virtual"),
  strict: boolean,
  baseUrl: baseUrlProblem,
  replies: checkedLater,
  unknownFields: oneOf("accept", "reject"),
  maxRecordedRequests: integer(0),
  mediaType: oneOf("json", "any"),
  maxBodyBytes: integer(1),
};

/**
 * Checks the options of a mock and fills in the defaults.
 *
 * @param adapterRules - The rules of further options, which only the adapter has.
 * @throws TypeError that names the option, the rule and the fix.
 */
export function resolveOptions(given: MockPlantStoreOptions, adapterRules: Rules<object> = {}) {
  const options = checkOptions(given, { ...mockRules, ...adapterRules });
  const virtualClock = options.time === "virtual" ? new JumpingClock() : undefined;
  const clock: Clock = virtualClock ?? systemClock;
  return {
    baseUrl: normalizeBaseUrl(options.baseUrl ?? "https://plant-store.test"),
    clock,
    /** The same clock, if its time is virtual. */
    virtualClock,
    /** Present in a simulated run. */
    simulation: undefined as ServiceObserver | undefined,
    /** Absent if no token is required. */
    auth: options.auth === false ? undefined : resolveAuth(options.auth === true ? {} : options.auth, clock),
    rejectsDuplicateIds: options.duplicateIds === "reject",
    /** Absent: unknown fields are accepted as an assumption. */
    unknownFields: options.unknownFields,
    acceptsAnyMediaType: options.mediaType === "any",
    refuse: resolveRefusals(options.replies),
    rateLimit: options.rateLimit === undefined ? undefined : resolveRateLimit(options.rateLimit),
    strict: options.strict ?? false,
    /** The names of the options that are set, those in `replies` with that prefix. */
    chosen: new Set([...namesIn(options), ...namesIn(options.replies ?? {}).map((cause) => `replies.${cause}`)]),
    maxRecordedRequests: options.maxRecordedRequests ?? 1000,
    maxBodyBytes: options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES,
    initialPlants: resolveInitialPlants(options.initialPlants ?? []),
  };
}

function namesIn(options: object): string[] {
  return Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : name));
}

function resolveInitialPlants(plants: Iterable<NewPlant>): PlantList {
  const list = new PlantList();
  let count = 0;
  for (const plant of plants) list.push(toStoredPlant(plant, `initialPlants[${count++}]`));
  return list;
}

/**
 * Checks the option `replies`.
 *
 * @returns The function that creates the response that rejects a request. Names and values of the extra headers alternate.
 * @throws TypeError that names the cause, the field and the rule.
 */
function resolveRefusals(given: CauseReplies | undefined) {
  const rules = Object.fromEntries(causes.map((cause) => [cause, checkedLater])) as Rules<CauseReplies>;
  const replies = checkOptions(given, rules, { noun: "cause", within: "replies" });
  const whole = new Map<Cause, WireReply>();
  const codes = new Map<Cause, number>();
  for (const cause of causes) {
    const reply = replies[cause];
    const within = `replies.${cause}`;
    if (isErrorValue(reply)) codes.set(cause, checkFields(reply, ERROR_VALUE, { noun: "field", within }).error);
    else if (reply !== undefined) whole.set(cause, encodeReply(checkReply(reply, within)));
  }
  return (cause: Cause, message?: string, extra: readonly string[] = []): ServiceReply => {
    const reply = whole.get(cause);
    // The test has chosen the response: the mock no longer assumes anything.
    if (reply !== undefined) return { how: "reply", ...reply, source: CONFIGURED };
    const { status, code, headers = [], message: usual } = assumptions[cause].refusal;
    const body = JSON.stringify({ error: codes.get(cause) ?? code, message: message ?? usual });
    const source: Source = { provenance: "assumed", assumption: cause };
    return { how: "reply", status, headers: [...JSON_HEADERS, ...headers, ...extra], body, source };
  };
}

const ERROR_VALUE = { error: required(int32) };

function isErrorValue(reply: Reply | ErrorValue | undefined): reply is ErrorValue {
  return isRecord(reply) && "error" in reply;
}

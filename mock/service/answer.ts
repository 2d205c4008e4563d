import { checkedLater, int32, type Rules, required } from "../../src/checks/rules.ts";
import { isRecord } from "../../src/checks/schema.ts";
import { type AssumptionName, assumptions, type Cause, causes } from "./assumptions.ts";
import { checkFields, checkOptions } from "./check-options.ts";
import { checkReply, encodeReply, JSON_HEADERS, type Reply, type WireReply } from "./wire-reply.ts";

/**
 * The origin of a response: `declared` by the contract, `assumed` by the mock or its options, or `injected` by the test
 * as a fault.
 */
export type Provenance = "declared" | "assumed" | "injected";

/** The origin of a response, and the assumption that it relies on. */
export interface Source {
  readonly provenance: Provenance;
  readonly assumption: AssumptionName | undefined;
}

/** The contract declares the response. */
export const DECLARED: Source = { provenance: "declared", assumption: undefined };

/** An option of the test specifies the response; the contract does not. */
export const CONFIGURED: Source = { provenance: "assumed", assumption: undefined };

/** A fault of the test specifies the response. */
export const INJECTED: Source = { provenance: "injected", assumption: undefined };

/** A response, and its origin. */
export interface Answer extends WireReply {
  readonly how: "reply";
  readonly source: Source;
}

/** The `error` value alone, in place of a whole {@link Reply}. */
export interface ErrorValue {
  /** The `error` value in the body, an int32. The status, the headers and the message stay as they are. */
  error: number;
}

/** The option `replies`: for each cause of a rejection, its response, or the `error` value of that. */
export type CauseReplies = { [Name in Cause]?: Reply | ErrorValue | undefined };

/** Creates the response that rejects a request. Names and values of the extra headers alternate. */
export type Refuse = (cause: Cause, message: string, headers?: readonly string[]) => Answer;

/**
 * Checks the option `replies`.
 *
 * @throws TypeError that names the cause, the field and the rule.
 */
export function resolveRefusals(given: CauseReplies | undefined): Refuse {
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
  return (cause, message, extra = []) => {
    const reply = whole.get(cause);
    // The test has chosen the response: the mock no longer assumes anything.
    if (reply !== undefined) return { how: "reply", ...reply, source: CONFIGURED };
    const { status, code, headers = [] } = assumptions[cause].refusal;
    const body = JSON.stringify({ error: codes.get(cause) ?? code, message });
    const source: Source = { provenance: "assumed", assumption: cause };
    return { how: "reply", status, headers: [...JSON_HEADERS, ...headers, ...extra], body, source };
  };
}

const ERROR_VALUE = { error: required(int32) };

function isErrorValue(reply: Reply | ErrorValue | undefined): reply is ErrorValue {
  return isRecord(reply) && "error" in reply;
}

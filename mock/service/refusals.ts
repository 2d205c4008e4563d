import { checkedLater, int32, type Rule } from "../../src/checks/rules.ts";
import { type Cause, refusals } from "./assumptions.ts";
import { checkOptions } from "./check-options.ts";
import type { MockAuthOptions, MockPlantStoreOptions } from "./mock-options.ts";
import {
  type Answer,
  CONFIGURED,
  checkReply,
  encodeReply,
  JSON_HEADERS,
  type Reply,
  type Source,
  type WireReply,
} from "./reply.ts";

/** Creates the response that rejects a request. Names and values of the extra headers alternate. */
export type Refuse = (cause: Cause, message: string, headers?: readonly string[]) => Answer;

/**
 * Checks the options that change the response to a rejected request.
 *
 * @throws TypeError that names the cause, the field and the rule.
 */
export function resolveRefusals(options: MockPlantStoreOptions, auth: MockAuthOptions | undefined): Refuse {
  const replies = checkOptions(options.replies, rulesOfCauses(checkedLater), { noun: "cause", within: "replies" });
  const errorCodes = checkOptions(options.errorCodes, rulesOfCauses(int32), { noun: "cause", within: "errorCodes" });
  const configured = new Map<string, WireReply>();
  const configure = (cause: string, reply: Reply | undefined, option: string) => {
    if (reply !== undefined) configured.set(cause, encodeReply(checkReply(reply, option)));
  };
  for (const [cause, reply] of Object.entries(replies)) configure(cause, reply, `replies.${cause}`);
  configure("missingToken", auth?.missing, "auth.missing");
  configure("invalidToken", auth?.invalid, "auth.invalid");
  return (cause, message, extra = []) => {
    const reply = configured.get(cause);
    // The test has chosen the response: the mock no longer assumes anything.
    if (reply !== undefined) return { how: "reply", ...reply, source: CONFIGURED };
    const { status, code, headers } = refusals[cause];
    const body = JSON.stringify({ error: errorCodes[cause] ?? code, message });
    const source: Source = { provenance: "assumed", assumption: cause };
    return { how: "reply", status, headers: [...JSON_HEADERS, ...headers, ...extra], body, source };
  };
}

function rulesOfCauses(rule: Rule): Record<Cause, Rule> {
  return Object.fromEntries(Object.keys(refusals).map((cause) => [cause, rule])) as Record<Cause, Rule>;
}

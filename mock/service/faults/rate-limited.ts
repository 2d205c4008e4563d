import { assumptions } from "../assumptions.ts";
import { JSON_HEADERS } from "../wire-reply.ts";
import { durationField, type FaultDefinition, replaced } from "./fault-definition.ts";

/** The service rejects the request: status 429 with `Retry-After`. */
export type RateLimitedFault = {
  readonly type: "rateLimited";
  /** The value of `Retry-After`, in seconds. */
  readonly retryAfterSeconds: number;
};

export const rateLimited = {
  title: "too many requests",
  description: "status 429 with `Retry-After`",
  fields: { retryAfterSeconds: durationField("Retry after, in seconds", 1) },
  delivers: "response",
  apply({ retryAfterSeconds }, context) {
    const message = `too many requests; try again after ${retryAfterSeconds} s (injected fault #${context.number})`;
    const body = JSON.stringify({ error: assumptions.rateLimited.refusal.code, message });
    return replaced({ status: 429, headers: [...JSON_HEADERS, "Retry-After", `${retryAfterSeconds}`], body }, context);
  },
} satisfies FaultDefinition<RateLimitedFault>;

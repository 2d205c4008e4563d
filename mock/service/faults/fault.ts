import { beginning } from "../request.ts";
import type { Reply } from "../wire-reply.ts";
import { type ApiErrorFault, apiError } from "./api-error.ts";
import { connectionRefused, hang, lostResponse, networkError, stalledBody, truncatedBody } from "./bare-faults.ts";
import { type DelayFault, delay } from "./delay.ts";
import type { FaultDefinition } from "./fault-definition.ts";
import { type RateLimitedFault, rateLimited } from "./rate-limited.ts";
import { type ReplyFault, reply } from "./reply.ts";

/** How a request fails. Plain data, so that it can be sent to another process; create one with {@link faults}. */
export type Fault =
  | ApiErrorFault
  | ReplyFault
  | RateLimitedFault
  | DelayFault
  | { readonly type: "hang" }
  | { readonly type: "networkError" }
  | { readonly type: "connectionRefused" }
  | { readonly type: "lostResponse" }
  | { readonly type: "truncatedBody" }
  | { readonly type: "stalledBody" };

/** Every fault, in the order in which lists show them. */
export const faultDefinitions: { readonly [Type in Fault["type"]]: FaultDefinition<Extract<Fault, { type: Type }>> } = {
  apiError,
  reply,
  rateLimited,
  delay,
  hang,
  networkError,
  connectionRefused,
  lostResponse,
  truncatedBody,
  stalledBody,
};

/**
 * Creates a {@link Fault}, e.g. `mock.inject(faults.rateLimited(2))`.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/in-memory.ts#fault}
 */
export const faults = {
  /** The service rejects the request: status 400 with an Error body, whose `error` is the code, an int32: `rejected`. */
  apiError: (code: number, message: string): Fault => ({ type: "apiError", code, message }),
  /** Any response, in place of the service's own. A string as its body is sent as it is, any other value as JSON. */
  reply: (fields: Reply): Fault => ({ type: "reply", ...fields }),
  /** Status 429 with `Retry-After`, in seconds: the client waits and retries; with retries used up, `rejected`. */
  rateLimited: (retryAfterSeconds: number): Fault => ({ type: "rateLimited", retryAfterSeconds }),
  /** The service stores the plant at once and sends its response after a number of milliseconds. */
  delay: (ms: number): Fault => ({ type: "delay", ms }),
  /** Nothing is stored, and no response ever arrives: the client reports a timeout, `unknown`. */
  hang: (): Fault => ({ type: "hang" }),
  /** The connection is reset, and nothing is stored: the client reports a connection error, `unknown`. */
  networkError: (): Fault => ({ type: "networkError" }),
  /** The connection is refused: the client retries, then reports a connection error, `not-sent`. In memory only. */
  connectionRefused: (): Fault => ({ type: "connectionRefused" }),
  /** The plant is stored, and the connection closes without a response: the client reports a connection error, `unknown`. */
  lostResponse: (): Fault => ({ type: "lostResponse" }),
  /** The plant is stored, and the connection closes halfway through the response body: a connection error, `unknown`. */
  truncatedBody: (): Fault => ({ type: "truncatedBody" }),
  /** The plant is stored, and the response body stops halfway: the client reports a timeout, `unknown`. */
  stalledBody: (): Fault => ({ type: "stalledBody" }),
} as const satisfies Record<Fault["type"], unknown>;

/** The definition of a valid fault. */
export function definitionOf({ type }: Fault): FaultDefinition {
  return faultDefinitions[type] as FaultDefinition;
}

/** A fault as journals and lists show it: with the beginning of each long text, and without other long values. */
export function shortenFault(fault: Fault): Fault {
  const short: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fault)) {
    if (typeof value === "string") short[name] = beginning(value, MAX_LENGTH);
    else if (JSON.stringify(value).length <= MAX_LENGTH) short[name] = value;
  }
  return short as Fault;
}

const MAX_LENGTH = 1_000;

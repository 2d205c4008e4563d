import { type ApiErrorFault, apiError } from "./api-error.ts";
import { connectionRefused } from "./connection-refused.ts";
import { type DelayFault, delay } from "./delay.ts";
import type { BareFault, FaultDefinition } from "./fault-definition.ts";
import { hang } from "./hang.ts";
import { lostResponse } from "./lost-response.ts";
import { networkError } from "./network-error.ts";
import { type RateLimitedFault, rateLimited } from "./rate-limited.ts";
import { type ReplyFault, reply } from "./reply.ts";
import { stalledBody } from "./stalled-body.ts";
import { truncatedBody } from "./truncated-body.ts";

/** How a request fails. Plain data, so that it can be sent to another process; create one with {@link faults}. */
export type Fault =
  | ApiErrorFault
  | ReplyFault
  | RateLimitedFault
  | DelayFault
  | BareFault<"hang">
  | BareFault<"networkError">
  | BareFault<"connectionRefused">
  | BareFault<"lostResponse">
  | BareFault<"truncatedBody">
  | BareFault<"stalledBody">;

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
  /** The service rejects the request: status 400 with an Error body. */
  apiError: factory(apiError),
  /** Any response, in place of the service's own. */
  reply: factory(reply),
  /** Status 429 with `Retry-After`, in seconds. */
  rateLimited: factory(rateLimited),
  /** The service stores the plant at once and sends its response after a number of milliseconds. */
  delay: factory(delay),
  /** Nothing is stored, and no response ever arrives. */
  hang: factory(hang),
  /** The connection is reset, and nothing is stored. */
  networkError: factory(networkError),
  /** The connection is refused; nothing is sent. */
  connectionRefused: factory(connectionRefused),
  /** The plant is stored, and the connection closes without a response. */
  lostResponse: factory(lostResponse),
  /** The plant is stored, and the connection closes halfway through the response body. */
  truncatedBody: factory(truncatedBody),
  /** The plant is stored, and the response body stops halfway while the connection stays open. */
  stalledBody: factory(stalledBody),
} as const satisfies Record<Fault["type"], unknown>;

/** Types the result as any fault, so that one variable can hold different faults. */
function factory<Args extends unknown[]>({ create }: { create(...args: Args): Fault }): (...args: Args) => Fault {
  return create;
}

/** The definition of a valid fault. */
export function definitionOf({ type }: Fault): FaultDefinition {
  return faultDefinitions[type] as FaultDefinition;
}

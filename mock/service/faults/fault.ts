import { type ApiErrorFault, apiError } from "./api-error.ts";
import { type ConnectionRefusedFault, connectionRefused } from "./connection-refused.ts";
import { type DelayFault, delay } from "./delay.ts";
import type { FaultDefinition } from "./fault-definition.ts";
import { type HangFault, hang } from "./hang.ts";
import { type LostResponseFault, lostResponse } from "./lost-response.ts";
import { type NetworkErrorFault, networkError } from "./network-error.ts";
import { type RateLimitedFault, rateLimited } from "./rate-limited.ts";
import { type ReplyFault, reply } from "./reply.ts";
import { type StalledBodyFault, stalledBody } from "./stalled-body.ts";
import { type TruncatedBodyFault, truncatedBody } from "./truncated-body.ts";

/** What goes wrong with one exchange. Plain data, so that it crosses processes; {@link faults} makes it. */
export type Fault =
  | ApiErrorFault
  | ReplyFault
  | RateLimitedFault
  | DelayFault
  | HangFault
  | NetworkErrorFault
  | ConnectionRefusedFault
  | LostResponseFault
  | TruncatedBodyFault
  | StalledBodyFault;

/** Every fault, in the order in which lists show them. Forms, schemas and tables are derived from it. */
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
 * Makes each {@link Fault}, e.g. `mock.inject(faults.rateLimited(2))`.
 *
 * @example
 * {@includeCode ../../../docs/code/testing/in-memory.ts#fault}
 */
export const faults = {
  /** The service refuses the request: status 400 with an error body. */
  apiError: factory(apiError),
  /** Any reply at all, in place of the service's own. */
  reply: factory(reply),
  /** Status 429 with `Retry-After`, in seconds. */
  rateLimited: factory(rateLimited),
  /** The service does its work at once, and its reply comes that many milliseconds later. */
  delay: factory(delay),
  /** Nothing is stored, and no reply ever comes. */
  hang: factory(hang),
  /** The connection is reset, and nothing is stored. */
  networkError: factory(networkError),
  /** There is no connection at all. */
  connectionRefused: factory(connectionRefused),
  /** The plant is stored, and the connection closes without a reply. */
  lostResponse: factory(lostResponse),
  /** The plant is stored, and the connection closes halfway through the body. */
  truncatedBody: factory(truncatedBody),
  /** The plant is stored, and the body stops halfway, on an open connection. */
  stalledBody: factory(stalledBody),
} as const satisfies Record<Fault["type"], unknown>;

/** Its result is typed as any fault, so that a variable may hold one after another. */
function factory<Args extends unknown[]>({ create }: { create(...args: Args): Fault }): (...args: Args) => Fault {
  return create;
}

/** What is known of a valid fault. */
export function definitionOf({ type }: Fault): FaultDefinition {
  return faultDefinitions[type] as FaultDefinition;
}

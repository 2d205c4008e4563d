import type { Validation } from "../checks/schema.ts";
import type { ApiFetch, ApiReply } from "./api.ts";
import type { AttemptLog, AttemptObserver } from "./attempt-log.ts";
import type { Backoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { RetryPolicy } from "./result.ts";
import type { TokenSource } from "./token-source.ts";

/**
 * Sends a request: the global `fetch`, or a function with its signature.
 *
 * It is called with a URL and an `init` of method, headers, body, signal and `redirect: "manual"`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The part of an operation that the transport uses. */
export interface CallOperation<Output> {
  readonly method: string;
  readonly path: string;
  /** Its own headers, by lower-case name: the media type of the request body, if it has one. */
  readonly headers: { readonly "content-type"?: string };
  /** The meaning of an unknown outcome, for messages. */
  readonly unknownOutcome: string;
  /** Whether a second request is harmless, so that every network failure may be retried. */
  readonly isRepeatable: boolean;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Validation<Output>;
  /** Sends a request through openapi-fetch. A method, so that a call may hold an operation of any input. */
  send(api: unknown, input: unknown, fetch: ApiFetch): Promise<ApiReply>;
}

/** The settings that all calls of a client share. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  readonly backoff: Backoff;
}

/** The validated options of one call, with defaults applied. */
export interface CallSettings {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retry: RetryPolicy;
  /** Called with each attempt: the client's observer first, then the call's. */
  readonly observers: readonly AttemptObserver[];
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly pacing?: Pacing | undefined;
}

/** The key of {@link Pacing} in the options of a call; registered, so that all copies of the package share it. */
export const PACING: unique symbol = Symbol.for("plant-store-client.pacing");

/**
 * One of many calls that a caller paces. The call does not retry refusals: that caller handles them, and may repeat the
 * call, which then continues its attempts.
 */
export interface Pacing {
  /** Called before each request, with the number of retries so far; false ends the call. */
  mayStart(retries: number): boolean;
  /** The number of retries with which the call begins. */
  readonly retries: number;
  /** The log of the last call, which sets it when it begins. */
  log: AttemptLog | undefined;
  readonly input: unknown;
  /** The input as its first call checked it: the application may have changed the object since. */
  checked: Validation<unknown> | undefined;
}

/** Options that hold a {@link Pacing}. */
export interface PacedOptions {
  readonly [PACING]?: Pacing;
}

/** One call and everything that the steps of the transport need. */
export interface Call<Output> {
  readonly type: "call";
  readonly operation: CallOperation<Output>;
  /** The HTTP layer that the operation sends through. */
  readonly api: unknown;
  /** The validated input of the operation, which each attempt sends anew. */
  readonly input: unknown;
  readonly client: ClientSettings;
  readonly settings: CallSettings;
  readonly log: AttemptLog;
  readonly clock: Clock;
}

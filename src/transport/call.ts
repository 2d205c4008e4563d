import type { Result } from "../contract/schema.ts";
import type { ApiFetch, ApiReply } from "./api.ts";
import type { AttemptLog, AttemptObserver } from "./attempts.ts";
import type { TokenSource } from "./authorize.ts";
import type { Backoff } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import type { RetryPolicy } from "./result.ts";

/**
 * What sends the request: the global `fetch`, or one with its signature.
 *
 * It is called with a URL and an `init` of method, headers, body, signal and `redirect: "manual"`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the transport has to know of an operation. */
export interface CallOperation<Output> {
  readonly method: string;
  readonly path: string;
  /** What it means that the outcome is unknown, in words. */
  readonly unknownOutcome: string;
  /** Whether a second request does no harm, so that every failure of the network may be retried. */
  readonly isRepeatable: boolean;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Result<Output>;
}

/** What all calls of a client have in common. */
export interface ClientSettings {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  readonly backoff: Backoff;
}

/** The options of one call, checked, with every default in its place. */
export interface CallSettings {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retry: RetryPolicy;
  /** Who hears of each attempt: the client's first, then the call's. */
  readonly observers: readonly AttemptObserver[];
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Set by a caller that paces many calls. Refusals are its own matter then: none is retried here. */
export interface Pacing {
  /** Asked before each request; false ends the call, for the caller to try again later. */
  readonly mayStart: () => boolean;
}

/** Builds the request of a call, hands it to `fetch`, and parses the reply. */
export interface PreparedRequest {
  send(fetch: ApiFetch): Promise<ApiReply>;
}

/** One call, as the steps of the transport see it. */
export interface Call<Output> {
  readonly operation: CallOperation<Output>;
  readonly request: PreparedRequest;
  readonly client: ClientSettings;
  readonly settings: CallSettings;
  readonly log: AttemptLog;
  readonly clock: Clock;
  readonly pacing?: Pacing | undefined;
}

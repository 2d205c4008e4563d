import type { Validation } from "../checks/schema.ts";
import type { AttemptLog, AttemptObserver } from "./attempt-log.ts";
import type { Clock } from "./clock.ts";
import type { Stopped } from "./deadline.ts";
import type { ErrorReply, UnexpectedReply } from "./decode.ts";
import type { ApiFetch, ApiReply } from "./exchange.ts";
import type { TokenFailure, TokenSource } from "./tokens.ts";
import type { Backoff, Verdict } from "./verdict.ts";

/** A function with the signature of the global `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What the client passes to a `fetch`, as its second argument. */
export interface FetchInit {
  /** The request method, e.g. `POST`. */
  method: string;
  /** The headers by lower-case name, the bearer token among them. */
  headers: Record<string, string>;
  /** The request body; on Deno a Blob, although its type is a string. */
  body: string | null;
  /** Never followed: a redirect can turn a POST into a GET. */
  redirect: "manual";
  /** Aborted at the end of the call. */
  signal: AbortSignal;
}

/**
 * Any `fetch` that the client can send with: the global one, undici's, node-fetch's, or a function that wraps one. Of its
 * response, the client reads `status`, `headers`, and `body` or `text()`.
 */
export type FetchLike = (
  url: string,
  init: FetchInit,
) => Promise<{
  /** The HTTP status. */
  readonly status: number;
  /** The headers: a Headers, or any object like it. */
  readonly headers: object;
}>;

/**
 * When a request may be retried.
 *
 * - `safe`: if the service provably did not process it (RFC 9110, section 9.2.2): the connection failed before it was
 *   sent, or the service refused it (429, or 503 with Retry-After and the contract's Error).
 * - `idempotent`: also if it may have been sent and no response arrived, and after 408, 500, 502, 503 and 504. The
 *   caller states with it that a second request for the same plant is harmless.
 */
export type RetryPolicy = "safe" | "idempotent";

/** Describes one operation of the service. */
export interface Operation<Api, Input, ValidInput, Output> {
  readonly method: string;
  readonly path: string;
  /** Its own headers, by lower-case name: the media types of the response and of the request body, if it has one. */
  readonly headers: { readonly accept: string; readonly "content-type"?: string };
  /** The name of the input in messages. */
  readonly inputName: string;
  /** The meaning of an unknown outcome, for messages. */
  readonly unknownOutcome: string;
  /** Whether a second request is harmless, so that every network failure may be retried. */
  readonly isIdempotent: boolean;
  /** Validates the input; the resulting value is sent. */
  readonly validateInput: (input: Input) => Validation<ValidInput>;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Validation<Output>;
  /** Sends a request through openapi-fetch, which ties path, method and body to the contract. */
  send(api: Api, input: ValidInput, fetch: ApiFetch): Promise<ApiReply>;
}

/** The validated options of a client or a call, with defaults applied. */
export interface Settings {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** `undefined` for the global one. */
  readonly fetch: FetchLike | undefined;
  readonly maxResponseBytes: number;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retry: RetryPolicy;
  /** Called with each attempt: the client's observer first, then the call's. */
  readonly observers: readonly AttemptObserver[];
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One call, and everything that its steps need. */
export interface Call<Output> {
  // biome-ignore lint/suspicious/noExplicitAny: whichever operation it is, its input has been validated.
  readonly operation: Operation<any, any, any, Output>;
  /** The HTTP layer that the operation sends through. */
  readonly api: unknown;
  /** The validated input of the operation, which each attempt sends anew. */
  readonly input: unknown;
  readonly settings: Settings;
  readonly log: AttemptLog;
  readonly clock: Clock;
  /** Whether a second request is harmless, by the operation or by the caller's word. */
  readonly isIdempotent: boolean;
}

/** No response, or an incomplete one. */
interface ConnectionFailure {
  readonly kind: "connection";
  readonly cause: unknown;
}

/** A failed attempt, and what it means. */
export type FailedAttempt = (ErrorReply | UnexpectedReply | ConnectionFailure) & { readonly verdict: Verdict };

/** How a call failed; `kind` is that of its error. */
export type Failure = FailedAttempt | TokenFailure | Stopped;

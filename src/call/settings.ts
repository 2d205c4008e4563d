import type { Attempt } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { TokenSource } from "./tokens.ts";

/**
 * When a request may be retried.
 *
 * - `safe`: if the service provably did not process it (RFC 9110, section 9.2.2): the connection failed before it was
 *   sent, or the service refused it (429, or 503 with Retry-After and the contract's Error).
 * - `idempotent`: also if it may have been sent and no response arrived, and after 408, 500, 502, 503 and 504. The
 *   caller states with it that a second request for the same plant is harmless.
 */
export type RetryPolicy = "safe" | "idempotent";

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
 * response, the client reads `status`, `headers`, and `body` or `text()`. It must send a request once, except after a 421,
 * which says that the request was not processed.
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

/** The validated options of a client or a call, with defaults applied. */
export interface Settings {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** `undefined` for the global one. */
  readonly fetch: FetchLike | undefined;
  readonly maxResponseBytes: number;
  /** The longest wait before a retry without Retry-After: `initialMs`, doubled with each retry, but at most `maxMs`. */
  readonly backoff: { readonly initialMs: number; readonly maxMs: number };
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retry: RetryPolicy;
  /** Called with each attempt: the client's observer first, then the call's. */
  readonly observers: readonly ((attempt: Attempt) => void)[];
  /** All but the token, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

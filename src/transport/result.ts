import type { ErrorBody } from "../contract/error-body.ts";
import type { Outcome, ResponseProblem } from "../errors.ts";

/**
 * When a request may be sent again.
 *
 * - `safe`: if it is proven that the service did not process it, or if the service says so (429, or 503 with Retry-After
 *   and the contract's Error). RFC 9110, section 9.2.2.
 * - `idempotent`: the caller's own word that a second POST of the same plant does no harm. Also after any other failure
 *   of the network, and after 408, 500, 502, 503 and 504.
 */
export type RetryPolicy = "safe" | "idempotent";

/** A reply's body as text. */
export interface BodyText {
  readonly text: string;
  /** There was more than the limit: `text` is its beginning. */
  readonly isTruncated: boolean;
  /** Some bytes were no UTF-8, and stand in `text` as U+FFFD. */
  readonly isMalformed: boolean;
}

/** A whole reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: BodyText;
}

/** What a failed attempt means for the outcome, and under which policy another may follow. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly retryable: RetryPolicy | "never";
  /** How long the server asked to wait, where it did. */
  readonly retryAfterMs?: number | undefined;
}

/** The service did what was asked. */
export interface Success<Output> {
  readonly type: "success";
  readonly value: Output;
  readonly reply: Reply;
}

/** The service's own Error body. */
export interface ErrorReply {
  readonly type: "error-reply";
  readonly body: ErrorBody;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** A reply that the contract does not declare. */
export interface UnexpectedReply {
  readonly type: "unexpected-reply";
  readonly problem: ResponseProblem;
  /** The status and the problem, in words. */
  readonly detail: string;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** No reply, or one that broke off. */
export interface ConnectionFailure {
  readonly type: "connection-failure";
  readonly cause: unknown;
  readonly verdict: Verdict;
}

/** The token provider failed. */
export interface TokenFailure {
  readonly type: "token-failure";
  readonly cause: unknown;
}

/** What ended a call from outside. */
export interface Stopped {
  readonly type: "timeout" | "aborted";
}

export const ABORTED: Stopped = { type: "aborted" };

/** How one attempt ended. */
export type SendResult<Output> = Success<Output> | ErrorReply | UnexpectedReply | ConnectionFailure;

/** How a call ended: as its last attempt did, or without a token, or from outside. */
export type CallResult<Output> = SendResult<Output> | TokenFailure | Stopped;

import type { ErrorBody } from "../contract/error-body.ts";
import type { Outcome, ResponseProblem } from "../errors.ts";
import type { Reply } from "./reply.ts";

/**
 * When a request may be retried.
 *
 * - `safe`: if the service provably did not process it (RFC 9110, section 9.2.2): the connection failed before it was
 *   sent, or the service refused it (429, or 503 with Retry-After and the contract's Error).
 * - `idempotent`: also if it may have been sent and no response arrived, and after 408, 500, 502, 503 and 504. The
 *   caller states with it that a second request for the same plant is harmless.
 */
export type RetryPolicy = "safe" | "idempotent";

/** The outcome of a failed attempt, and the policy under which it may be retried. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly retryable: RetryPolicy | "never";
  /** The wait that the server asked for, if any. */
  readonly retryAfterMs?: number | undefined;
}

/** The service processed the request. */
export interface Success<Output> {
  readonly type: "success";
  readonly value: Output;
  readonly reply: Reply;
}

/** A response with the contract's Error. */
export interface ErrorReply {
  readonly type: "error-reply";
  readonly body: ErrorBody;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** A response that the contract does not declare. */
export interface UnexpectedReply {
  readonly type: "unexpected-reply";
  readonly problem: ResponseProblem;
  /** The status and the problem, in words. */
  readonly detail: string;
  readonly reply: Reply;
  readonly verdict: Verdict;
}

/** No response, or an incomplete one. */
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

/** A call that was ended by its deadline or its signal. */
export interface Stopped {
  readonly type: "timeout" | "aborted";
}

export const ABORTED: Stopped = { type: "aborted" };

/** The result of one attempt. */
export type SendResult<Output> = Success<Output> | ErrorReply | UnexpectedReply | ConnectionFailure;

/** The result of a call: that of its last attempt, a missing token, or a stop from outside. */
export type CallResult<Output> = SendResult<Output> | TokenFailure | Stopped;

import type { CallResult, ErrorReply, UnexpectedReply, Verdict } from "./result.ts";

const TRANSIENT = /* @__PURE__ */ new Set([408, 500, 502, 503, 504]);

/**
 * Judges a response that is not a success.
 *
 * A 503 with Retry-After counts as a refusal by the service only if its body is the contract's Error: a gateway such as
 * Varnish also sends 503 with Retry-After, for a backend that may have processed the request.
 */
export function judgeReply(status: number, retryAfterMs: number | undefined, hasErrorBody: boolean): Verdict {
  const isRefused = status === 429 || (status === 503 && retryAfterMs !== undefined && hasErrorBody);
  if (isRefused) return { outcome: "rejected", retryable: "safe", retryAfterMs };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: "idempotent", retryAfterMs };
  return { outcome: status >= 400 && status <= 499 ? "rejected" : "unknown", retryable: "never", retryAfterMs };
}

/** Whether the service refused the caller for now, and so did not process the request. */
export function isRefusal(result: CallResult<unknown>): result is ErrorReply | UnexpectedReply {
  const isReply = result.type === "error-reply" || result.type === "unexpected-reply";
  return isReply && result.verdict.retryable === "safe";
}

/** Judges an incomplete response. */
export function judgeBroken(status: number): Verdict {
  return { outcome: "unknown", retryable: TRANSIENT.has(status) ? "idempotent" : "never" };
}

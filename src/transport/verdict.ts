import type { CallResult, ErrorReply, UnexpectedReply, Verdict } from "./result.ts";

const TRANSIENT = /* @__PURE__ */ new Set([408, 500, 502, 503, 504]);

/**
 * Judges a reply that is not a success.
 *
 * A 503 with Retry-After is the service's own refusal only with the contract's Error as its body: a gateway such as
 * Varnish sends one too, for a backend that may have done its work.
 */
export function judgeReply(status: number, retryAfterMs: number | undefined, hasErrorBody: boolean): Verdict {
  const isRefused = status === 429 || (status === 503 && retryAfterMs !== undefined && hasErrorBody);
  if (isRefused) return { outcome: "rejected", retryable: "safe", retryAfterMs };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: "idempotent", retryAfterMs };
  return { outcome: status >= 400 && status < 500 ? "rejected" : "unknown", retryable: "never", retryAfterMs };
}

/** Whether the service refused the caller for now, not what was sent: its own word that nothing was processed. */
export function isRefusal(result: CallResult<unknown>): result is ErrorReply | UnexpectedReply {
  const isReply = result.type === "error-reply" || result.type === "unexpected-reply";
  return isReply && result.verdict.retryable === "safe";
}

/** Judges a reply that broke off. */
export function judgeBroken(status: number): Verdict {
  return { outcome: "unknown", retryable: TRANSIENT.has(status) ? "idempotent" : "never" };
}

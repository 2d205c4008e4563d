import type { Verdict } from "./result.ts";

const TRANSIENT = /* @__PURE__ */ new Set([408, 500, 502, 503, 504]);

/**
 * Whether a response means that the service refused the caller for now, and so did not process the request.
 *
 * A 503 with Retry-After counts only if its body is the contract's Error: a gateway such as Varnish also sends 503 with
 * Retry-After, for a backend that may have processed the request.
 */
export function isRefused(
  status: number | undefined,
  retryAfterMs: number | undefined,
  hasErrorBody: boolean,
): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined && hasErrorBody);
}

/** Judges a response that is not a success. */
export function judgeReply(status: number, retryAfterMs: number | undefined, hasErrorBody: boolean): Verdict {
  if (isRefused(status, retryAfterMs, hasErrorBody)) return { outcome: "rejected", retryable: "safe", retryAfterMs };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: "idempotent", retryAfterMs };
  return { outcome: status >= 400 && status < 500 ? "rejected" : "unknown", retryable: "never", retryAfterMs };
}

/** Judges an incomplete response. */
export function judgeBroken(status: number): Verdict {
  return { outcome: "unknown", retryable: TRANSIENT.has(status) ? "idempotent" : "never" };
}

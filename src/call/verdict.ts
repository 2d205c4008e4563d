import type { Proof } from "#platform";
import type { Outcome } from "../errors.ts";
import type { Clock } from "./clock.ts";

/** What a failed attempt means: whether the plant may exist, and whether it may be sent again. */
export interface Verdict {
  readonly outcome: Outcome;
  /** Whether the policy of the call allows another attempt. */
  readonly retryable: boolean;
  /** The wait that the server asked for, if any. */
  readonly retryAfterMs?: number | undefined;
}

/** Statuses after which a request may be repeated if that does no harm. */
const TRANSIENT = /* @__PURE__ */ new Set([408, 500, 502, 503, 504]);

/**
 * Whether a response means that the service refused the caller for now, and so did not process the request.
 *
 * A 503 with Retry-After counts only if its body is the contract's Error: a gateway such as Varnish also sends 503 with
 * Retry-After, for a backend that may have processed the request.
 */
export function isRefusal(status: number, retryAfterMs: number | undefined, hasErrorBody: boolean): boolean {
  return status === 429 || (status === 503 && retryAfterMs !== undefined && hasErrorBody);
}

/**
 * Judges a response that is not a success.
 *
 * @param isIdempotent - Whether a second request does no harm.
 */
export function judgeResponse(
  status: number,
  retryAfterMs: number | undefined,
  hasErrorBody: boolean,
  isIdempotent: boolean,
): Verdict {
  if (isRefusal(status, retryAfterMs, hasErrorBody)) return { outcome: "rejected", retryable: true, retryAfterMs };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: isIdempotent, retryAfterMs };
  return { outcome: status >= 400 && status < 500 ? "rejected" : "unknown", retryable: false, retryAfterMs };
}

/** Judges an incomplete response. */
export function judgeIncomplete(status: number, isIdempotent: boolean): Verdict {
  return { outcome: "unknown", retryable: isIdempotent && TRANSIENT.has(status) };
}

/** Judges a request without a response. */
export function judgeUnanswered(proof: Proof, isIdempotent: boolean): Verdict {
  if (proof === "nothing") return { outcome: "unknown", retryable: isIdempotent };
  return { outcome: "not-sent", retryable: proof === "unsent" };
}

/** If the server asks for a longer wait, the call fails instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The longest wait before a retry without Retry-After: `initialMs`, doubled with each retry, but at most `maxMs`. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/**
 * The wait before the next attempt in milliseconds: Retry-After as a minimum, plus full jitter, so that many clients do
 * not retry at the same moment. Infinity if the server asks for too long a wait.
 *
 * @param retries - The number of retries so far.
 */
export function delayBefore(retries: number, retryAfterMs = 0, { initialMs, maxMs }: Backoff, clock: Clock): number {
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return Number.POSITIVE_INFINITY;
  const jitterMs = clock.random() * Math.min(maxMs, initialMs * 2 ** retries);
  return retryAfterMs + jitterMs;
}

import type { Outcome } from "../errors.ts";
import type { RetryPolicy } from "./settings.ts";

/** What a failed attempt means: whether the plant may exist, and under which policy it may be sent again. */
export interface Verdict {
  readonly outcome: Outcome;
  /** `safe` allows it under either policy. */
  readonly retry: RetryPolicy | "never";
}

const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

/** The worse of two outcomes: that of a plant for which two requests were made. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return SEVERITY[other] > SEVERITY[one] ? other : one;
}

/** What the end of a request proves about it. */
export const VERDICTS = {
  /** It was not sent. */
  unsent: { outcome: "not-sent", retry: "safe" },
  /** It was not sent, and another one could not be sent either. */
  unsendable: { outcome: "not-sent", retry: "never" },
  /** The service refused the caller for now, and so did not process it. */
  refused: { outcome: "rejected", retry: "safe" },
  /** The service refused it for good. */
  rejected: { outcome: "rejected", retry: "never" },
  /** Nothing is proven, and the failure may pass. */
  unproven: { outcome: "unknown", retry: "idempotent" },
  /** The service may have processed it, and would give the same response again. */
  processed: { outcome: "unknown", retry: "never" },
} as const satisfies Record<string, Verdict>;

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

/** Judges a response that is not a success; by its status alone if its body is incomplete. */
export function judgeResponse(status: number, retryAfterMs?: number, hasErrorBody = false): Verdict {
  if (isRefusal(status, retryAfterMs, hasErrorBody)) return VERDICTS.refused;
  if (TRANSIENT.has(status)) return VERDICTS.unproven;
  return status >= 400 && status < 500 ? VERDICTS.rejected : VERDICTS.processed;
}

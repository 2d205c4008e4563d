import { FETCH_MARK } from "../contract/fetch-mark.ts";
import type { Outcome } from "../errors.ts";
import type { DispatchWatch } from "./dispatch-watch.ts";
import { type Proof, proofOf } from "./proof.ts";

/** A request without a reply. */
export interface Unanswered {
  /** What `fetch` rejected with. */
  readonly error: unknown;
  /** A copy of it, without tokens and cycles. */
  readonly cause: unknown;
  /** What sent it and where to; `undefined` is the global `fetch`. */
  readonly client: { readonly fetch: object | undefined; readonly baseUrl: string };
  /** What undici told of it. */
  readonly watch: DispatchWatch | undefined;
}

/** What it means for the outcome, and under which policy another attempt may follow. */
export interface UnansweredVerdict {
  readonly outcome: Outcome;
  readonly retryable: "safe" | "idempotent" | "never";
}

/** Judges a request without a reply by the error, and by what undici told of it. */
export function judgeUnanswered({ error, cause, client, watch }: Unanswered): UnansweredVerdict {
  const isForeign = client.fetch !== undefined && !(FETCH_MARK in client.fetch);
  const proof = proofOf(cause, isForeign ? client.baseUrl : undefined);
  const hadBegun = watch?.hadBegun(error);
  if (proof === "nothing" && hadBegun === false) return VERDICTS.unsent;
  // The failure of a dispatcher's second try says nothing of its first.
  if (proof !== "refused" && hadBegun) return VERDICTS.nothing;
  return VERDICTS[proof];
}

const VERDICTS: Readonly<Record<Proof, UnansweredVerdict>> = {
  nothing: { outcome: "unknown", retryable: "idempotent" },
  unsent: { outcome: "not-sent", retryable: "safe" },
  refused: { outcome: "rejected", retryable: "safe" },
  unsendable: { outcome: "not-sent", retryable: "never" },
};

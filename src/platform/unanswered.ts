import { FETCH_MARK } from "../contract/fetch-mark.ts";
import type { Verdict } from "../transport/result.ts";
import type { DispatchWatch } from "./dispatch-watch.ts";
import { isNodeFetch, isUnwatchable } from "./global-dispatch.ts";
import { codeOf, type Proof, proofOf } from "./proof.ts";
import { isHttp1Fetch } from "./runtime.ts";

/** A request without a response. */
export interface Unanswered {
  /** The error that `fetch` rejected with. */
  readonly error: unknown;
  /** A copy of it, without tokens and cycles. */
  readonly cause: unknown;
  /** The `fetch` that sent it. */
  readonly fetch: object;
  /** The `fetch` of the options, and the URL of the service. */
  readonly client: { readonly fetch: object | undefined; readonly baseUrl: string };
  /** What undici reported about it, if that is known. */
  readonly watch: DispatchWatch | undefined;
}

/** Judges a request without a response by its error, and by what undici reported about it. */
export function judgeUnanswered({ error, cause, fetch, client, watch }: Unanswered): Verdict {
  // The runtime's fetch and those of this package send nothing but the request.
  const isOwn = FETCH_MARK in fetch || isNodeFetch(fetch);
  const proof = proofOf(cause, isOwn ? undefined : { url: client.baseUrl, mustBeNamed: client.fetch !== undefined });
  const hadBegun = watch?.hadBegun(error);
  const mayBeHttp2 = !isOwn || !isHttp1Fetch || isUnwatchable();
  if (codeOf(cause) === NOT_TLS && !watch && mayBeHttp2) return VERDICTS.nothing;
  if (proof === "nothing" && hadBegun === false) return VERDICTS.unsent;
  // A dispatcher may have tried twice: the failure of the second try proves nothing about the first.
  if (proof !== "refused" && hadBegun) return VERDICTS.nothing;
  return VERDICTS[proof];
}

/**
 * Bytes that are not TLS. Over HTTP/1.1, `fetch` has this code only for the handshake; over HTTP/2, also for what a gateway
 * writes into a connection that carries requests.
 */
const NOT_TLS = "ERR_SSL_WRONG_VERSION_NUMBER";

const VERDICTS: Readonly<Record<Proof, Verdict>> = {
  nothing: { outcome: "unknown", retryable: "idempotent" },
  unsent: { outcome: "not-sent", retryable: "safe" },
  refused: { outcome: "rejected", retryable: "safe" },
  unsendable: { outcome: "not-sent", retryable: "never" },
};

/**
 * What differs between runtimes, except browsers: what a failed request proves, how a request is kept from being sent
 * twice, environment variables, and the ports that `fetch` blocks. `imports` in package.json maps `#platform` to this
 * file, and to `browser.ts` in browser bundles.
 */
import type { DispatchWatch } from "./dispatch-watch.ts";
import { WATCHED } from "./dispatchers.ts";
import { isNodeFetch, watchDispatch } from "./global-dispatch.ts";
import { codeOf, isSignalRefused, NOT_TLS, type Proof, proofOf } from "./proof.ts";
import { isBun, isBunFetch, isDeno, isDenoFetch, isOldBun, sendOnce } from "./runtimes.ts";

export { portProblem } from "../checks/http/base-url.ts";
export type { DispatchWatch } from "./dispatch-watch.ts";
export { isMock, WATCHED } from "./dispatchers.ts";
export { identifyClient, readVariable, variableOf } from "./environment.ts";
export { codeOf, type Proof } from "./proof.ts";

/**
 * Keeps the runtime from sending the request twice, and watches whether it is sent at all.
 *
 * @returns The watch, if this `fetch` can be watched.
 */
export function prepareRequest(fetch: object, init: RequestInit): DispatchWatch | undefined {
  if (isDeno) sendOnce(init);
  if (isOldBun) init.keepalive = false;
  return watchDispatch(fetch, init);
}

/** What to do about an error that comes from the environment, not from the network; empty for any other. */
export function adviceOn(error: unknown): string {
  if (!isSignalRefused(error)) return "";
  return ': this environment has replaced AbortController, as jsdom does; run the test in the environment "node"';
}

/** A request without a response. */
export interface Unanswered {
  /** The error that `fetch` rejected with. */
  readonly error: unknown;
  /** The same error, or a copy of it without tokens. */
  readonly cause: unknown;
  /** The `fetch` that sent it. */
  readonly fetch: object;
  /** The `fetch` of the options, and the URL of the service. */
  readonly settings: { readonly fetch: object | undefined; readonly baseUrl: string };
  /** What undici reported about it, if that is known. */
  readonly watch: DispatchWatch | undefined;
}

/** What the failure of a request proves, by its error and by what undici reported about it. */
export function judgeProof({ error, cause, fetch, settings, watch }: Unanswered): Proof {
  // The runtime's fetch and that of this package send nothing but the request.
  const isOwn = WATCHED in fetch || isNodeFetch(fetch) || isBunFetch(fetch) || isDenoFetch(fetch);
  // Errors of Bun and Deno name no host, and so none that another request was sent to.
  const mustBeNamed = settings.fetch !== undefined || isBun || isDeno;
  const proof = proofOf(cause, isOwn ? undefined : { url: settings.baseUrl, mustBeNamed });
  if (isNodeFetch(fetch) && isSignalRefused(cause)) return "unsendable";
  const hadBegun = watch?.hadBegun(error);
  // A dispatcher may have tried twice: the failure of the second try proves nothing about the first.
  if (hadBegun) return "nothing";
  if (hadBegun === false && proof === "nothing") return "unsent";
  // What cannot be watched may speak HTTP/2.
  return !watch && codeOf(cause) === NOT_TLS ? "nothing" : proof;
}

/**
 * What differs between runtimes, except browsers: what a failed request proves, how a request is kept from being sent
 * twice, environment variables, and the ports that `fetch` blocks. `imports` in package.json maps `#platform` to this
 * file, and to `browser.ts` in browser bundles.
 */
import type { DispatchWatch } from "./dispatch-watch.ts";
import { isNodeFetch, sourceOf, watchDispatch } from "./global-dispatch.ts";
import { codeOf, isSignalRefused, NOT_TLS, type Proof, proofOf } from "./proof.ts";
import { isBun, isDeno, isOldBun, WATCHED } from "./transports.ts";

export { portProblem } from "../checks/http/base-url.ts";
export type { DispatchWatch } from "./dispatch-watch.ts";
export { identifyClient, originOf, orSet, readVariable } from "./environment.ts";
export { codeOf, type Proof } from "./proof.ts";
export { isMock, WATCHED } from "./transports.ts";

/**
 * Keeps the runtime from sending the request twice, and watches whether it is sent at all.
 *
 * @returns The watch, if this `fetch` can be watched.
 */
export function prepareRequest(fetch: object, init: RequestInit): DispatchWatch | undefined {
  const { body, headers } = init;
  // Deno re-sends a POST on a reused connection that closes early, unless the body is a Blob (denoland/deno#35610).
  if (isDeno && typeof body === "string") {
    init.body = new Blob([body], { type: (headers as Record<string, string>)["content-type"] as string });
  }
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
  // Errors of Bun and Deno name no host, and so none that another request was sent to.
  const mustBeNamed = settings.fetch !== undefined || isBun || isDeno;
  const proof = proofOf(cause, isOwnFetch(fetch) ? undefined : { url: settings.baseUrl, mustBeNamed });
  if (isNodeFetch(fetch) && isSignalRefused(cause)) return "unsendable";
  const hadBegun = watch?.hadBegun(error);
  // A dispatcher may have tried twice: the failure of the second try proves nothing about the first.
  if (hadBegun) return "nothing";
  if (hadBegun === false && proof === "nothing") return "unsent";
  // What cannot be watched may speak HTTP/2.
  return !watch && codeOf(cause) === NOT_TLS ? "nothing" : proof;
}

/** Whether a `fetch` sends nothing but the request: the runtime's own, or that of this package. */
function isOwnFetch(fetch: object): boolean {
  if (WATCHED in fetch || isNodeFetch(fetch)) return true;
  // A wrapper of Bun's has a source, or the name of a bound function.
  if (isBun)
    return (fetch as { readonly name?: unknown }).name === "fetch" && sourceOf(fetch).includes("[native code]");
  return isDeno && /\blazyFetch\b/.test(sourceOf(fetch));
}

/**
 * What differs between runtimes, except browsers: what a failed request proves, how a request is kept from being sent
 * twice, environment variables, and the ports that `fetch` blocks. `imports` in package.json maps `#platform` to this
 * file, and to `browser.ts` in browser bundles.
 */
import type { DispatchWatch } from "./dispatch-watch.ts";
import { watchDispatch } from "./global-dispatch.ts";
import { isDeno, isOldBun } from "./recognize-runtime.ts";

export { portProblem } from "../checks/http/base-url.ts";
export type { DispatchWatch } from "./dispatch-watch.ts";
export { identifyClient, originOf, orSet, readVariable } from "./environment.ts";
export { codeOf, judgeProof, type Proof } from "./proof.ts";
export { isMock, WATCHED } from "./recognize-runtime.ts";

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

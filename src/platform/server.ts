/**
 * What the client needs of every platform but a browser: why a request failed, the environment, the ports that fetch
 * refuses. `imports` in package.json gives it to the client as `#platform`, and `browser.ts` in bundles for browsers.
 */
export { hasBlockedPort } from "./blocked-ports.ts";
export type { DispatchWatch } from "./dispatch-watch.ts";
export { identifyClient, readVariable, suggestVariable } from "./environment.ts";
export { watchDispatch } from "./global-dispatch.ts";
export { codeOf } from "./proof.ts";
export { judgeUnanswered } from "./unanswered.ts";

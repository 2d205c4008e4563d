/**
 * What the client needs from every platform except browsers: why a request failed, environment variables, the ports
 * that `fetch` blocks, and which runtimes re-send a POST. `imports` in package.json maps `#platform` to this file, and to
 * `browser.ts` in browser bundles.
 */
export { portProblem } from "./blocked-ports.ts";
export type { DispatchWatch } from "./dispatch-watch.ts";
export { identifyClient, readVariable, suggestVariable } from "./environment.ts";
export { watchDispatch } from "./global-dispatch.ts";
export { isMock } from "./mock-agent.ts";
export { codeOf } from "./proof.ts";
export { isDeno, isOldBun } from "./runtime.ts";
export { socketTurn } from "./socket-turn.ts";
export { judgeUnanswered } from "./unanswered.ts";

/**
 * Replaces `server.ts` in browsers, which hide why a request failed, and have no environment variables. Some tools use it
 * on a server too (Jest with jsdom): there it proves less than `server.ts` would, never more. That is why it knows the
 * runtimes that re-send a POST as well.
 */
import type * as server from "./server.ts";

export { isMock } from "./mock-agent.ts";
export { isDeno, isOldBun } from "./runtime.ts";

type Server = typeof server;

export const portProblem: Server["portProblem"] = () => undefined;
export const identifyClient: Server["identifyClient"] = () => ({});
export const readVariable: Server["readVariable"] = () => undefined;
export const suggestVariable: Server["suggestVariable"] = () => "";
export const watchDispatch: Server["watchDispatch"] = () => undefined;
export const socketTurn: Server["socketTurn"] = () => undefined;
export const codeOf: Server["codeOf"] = () => undefined;
export const judgeUnanswered: Server["judgeUnanswered"] = () => ({ outcome: "unknown", retryable: "idempotent" });

/**
 * Replaces `outside-browsers.ts` in browsers, which hide why a request failed, and have no environment variables. Some
 * tools use it on a server too (Jest with jsdom): there it proves less than the other would, never more.
 */
import type * as outside from "./outside-browsers.ts";

export { isMock, WATCHED } from "./recognize-runtime.ts";

type Outside = typeof outside;

const noWords = () => "";
export const portProblem: Outside["portProblem"] = () => undefined;
export const identifyClient: Outside["identifyClient"] = () => ({});
export const readVariable: Outside["readVariable"] = () => undefined;
export const originOf: Outside["originOf"] = noWords;
export const orSet: Outside["orSet"] = noWords;
export const prepareRequest: Outside["prepareRequest"] = () => undefined;
export const codeOf: Outside["codeOf"] = () => undefined;
export const judgeProof: Outside["judgeProof"] = () => "unproven";

/**
 * Replaces `server.ts` in browsers, which hide why a request failed, and have no environment variables. Some tools use it
 * on a server too (Jest with jsdom): there it proves less than `server.ts` would, never more.
 */
import type * as server from "./server.ts";

export { isMock, WATCHED } from "./transports.ts";

type Server = typeof server;

const noWords = () => "";
export const portProblem: Server["portProblem"] = () => undefined;
export const identifyClient: Server["identifyClient"] = () => ({});
export const readVariable: Server["readVariable"] = () => undefined;
export const originOf: Server["originOf"] = noWords;
export const orSet: Server["orSet"] = noWords;
export const prepareRequest: Server["prepareRequest"] = () => undefined;
export const adviceOn: Server["adviceOn"] = noWords;
export const codeOf: Server["codeOf"] = () => undefined;
export const judgeProof: Server["judgeProof"] = () => "nothing";

/**
 * The parts of node:http that the mock uses. If an ES module imported them, Node 22 and later would load undici and HTTP/2
 * as well, for exports that are otherwise loaded on first use: 13 MB, and two thirds of the time that a server takes to start.
 */
export const { Agent, createServer, request, STATUS_CODES } = process.getBuiltinModule("node:http");

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { describe } from "../../src/checks/describe.ts";
import { JSON_HEADERS, type WireReply } from "../service/reply.ts";
import { sendReply } from "./deliver.ts";
import { STATUS_CODES } from "./node-http.ts";

/** Responds to a request that node:http could not parse, and closes its connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const response = responses[error.code as string] ?? malformed;
  socket.end(encodeResponse(replyOf(response)), () => socket.destroy());
}

/**
 * Responds to a request that node:http accepts although HTTP forbids it, and closes its connection.
 *
 * @returns Whether it did.
 */
export function answerInvalidRequest(request: IncomingMessage, response: ServerResponse): boolean {
  const invalid = problemOf(request);
  if (invalid === undefined) return false;
  response.shouldKeepAlive = false;
  sendReply(replyOf(invalid), response);
  return true;
}

/** Source: RFC 9112, section 2.3, 3.2, and 6.1. */
function problemOf({ httpVersion, headers, rawHeaders }: IncomingMessage): ClientErrorResponse | undefined {
  const { host, "transfer-encoding": coding = "chunked" } = headers;
  if (!httpVersion.startsWith("1.")) return [505, 50501, "request: must be HTTP/1.1"];
  if (coding.toLowerCase() !== "chunked") {
    return [501, 50101, `Transfer-Encoding: must be chunked, not ${describe(coding)}`];
  }
  if (host === undefined) return httpVersion === "1.1" ? [400, 40000, "Host: is required in HTTP/1.1"] : undefined;
  if (countHosts(rawHeaders) > 1) {
    return [400, 40000, "Host: must be sent once; received several values"];
  }
  if (HOST.test(host)) return undefined;
  return [400, 40000, `Host: must be a host with an optional port, not ${describe(host)}`];
}

/** `headers` has only the first of them. */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    // The length first: a copy of every name in lower case would take 128 bytes of each exchange.
    if (name.length === 4 && name.toLowerCase() === "host") count++;
  }
  return count;
}

/** Source: RFC 9110, section 7.2. Inside brackets, Node's own client sends the zone of an address too. */
const HOST = /^(?:[\w.~%!$&'()*+,;=-]*|\[[\w.~%:-]+\])(?::\d*)?$/;

type ClientErrorResponse = readonly [status: number, error: number, message: string];

function replyOf([status, error, message]: ClientErrorResponse): WireReply {
  return { status, headers: JSON_HEADERS, body: JSON.stringify({ error, message }) };
}

const malformed: ClientErrorResponse = [400, 40000, "request: cannot be parsed; send valid HTTP/1.1"];

const responses: Readonly<Record<string, ClientErrorResponse>> = {
  HPE_HEADER_OVERFLOW: [431, 43101, "headers: are too large; send fewer or shorter headers"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 41302, "body: its chunk extensions are too large; remove them"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 40801, "request: did not arrive in time; send it faster"],
};

/** Encodes a response for a socket without a ServerResponse. The connection ends with it. */
export function encodeResponse({ status, headers, body }: WireReply): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${text}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

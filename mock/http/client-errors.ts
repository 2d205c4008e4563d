import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { JSON_HEADERS, type WireReply } from "../service/reply.ts";
import { sendReply } from "./deliver.ts";

/** Responds to a request that node:http could not parse, and closes its connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const response = responses[error.code as string] ?? malformed;
  socket.end(encodeResponse(replyOf(response)), () => socket.destroy());
}

/** Responds to a request of HTTP/1.1 without a Host header, for which node:http itself sends a 400 without a body. */
export function answerMissingHost(response: ServerResponse): void {
  response.shouldKeepAlive = false;
  sendReply(replyOf([400, 40000, "Host: is required in HTTP/1.1"]), response);
}

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

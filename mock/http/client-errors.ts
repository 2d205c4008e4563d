import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { JSON_HEADERS, type WireReply } from "../service/reply.ts";

/** Responds to a request that node:http could not parse, and closes its connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, code, message] = responses[error.code as string] ?? malformed;
  const reply = { status, headers: JSON_HEADERS, body: JSON.stringify({ error: code, message }) };
  socket.end(encodeReply(reply), () => socket.destroy());
}

const malformed = [400, 40000, "request: cannot be parsed; send valid HTTP/1.1"] as const;

const responses: Readonly<Record<string, typeof malformed | readonly [number, number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 43101, "headers: are too large; send fewer or shorter headers"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 41302, "body: its chunk extensions are too large; remove them"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 40801, "request: did not arrive in time; send it faster"],
};

/** Encodes a response for a socket without a ServerResponse. The connection ends with it. */
export function encodeReply({ status, headers, body }: WireReply): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\nConnection: close\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${text}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

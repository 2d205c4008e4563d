import type { Socket } from "node:net";
import { JSON_HEADERS } from "../service/wire-reply.ts";
import { bracketed } from "./control/guard.ts";
import { STATUS_CODES } from "./node-http.ts";

/** Why node:http has no request for what a client sent. */
export interface ClientError {
  readonly code?: string | undefined;
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/** The response to a client whose bytes are not a valid request. */
export type Refusal = readonly [status: number, error: number, message: string];

export function refusalOf({ code, rawPacket }: ClientError, { localAddress = "", localPort }: Socket): Refusal {
  if (rawPacket?.[0] !== TLS_HANDSHAKE) return responses[code as string] ?? malformed;
  return [400, 40000, `the client speaks https; use http://${bracketed(localAddress)}:${localPort}`];
}

/** Sends the response, and closes the connection. */
export function sendRefusal([status, error, message]: Refusal, socket: Socket): void {
  const body = JSON.stringify({ error, message });
  const headers = [`Connection: close`, JSON_HEADERS.join(": "), `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("\r\n")}\r\n\r\n${body}`, () => {
    socket.destroy();
  });
}

/** The first byte of a TLS connection. Source: RFC 8446, section 5.1. */
const TLS_HANDSHAKE = 22;

const malformed: Refusal = [400, 40000, "request: cannot be parsed; send valid HTTP/1.1"];

const responses: Readonly<Record<string, Refusal>> = {
  HPE_PAUSED_H2_UPGRADE: [400, 40000, "the client speaks HTTP/2; use HTTP/1.1"],
  HPE_HEADER_OVERFLOW: [431, 43101, "headers: are too large; send fewer or shorter headers"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 40801, "request: did not arrive in time; send it faster"],
};

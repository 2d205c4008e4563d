import type { Socket } from "node:net";
import { JSON_HEADERS } from "../service/wire-reply.ts";
import { bracketed } from "./control/guard.ts";
import { STATUS_CODES } from "./node-http.ts";

/** Why the mock has no request for what a client sent. */
export interface ClientError {
  /** A code of node:http, or one of {@link responses}. */
  readonly code?: string | undefined;
  /** The bytes that could not be parsed. */
  readonly rawPacket?: Buffer;
}

/**
 * Responds to a client whose bytes are not a valid request, and closes the connection.
 *
 * @returns The status and the message.
 */
export function refuse({ code, rawPacket }: ClientError, socket: Socket): { status: number; message: string } {
  const { localAddress = "", localPort } = socket;
  const isTls = rawPacket?.[0] === TLS_HANDSHAKE;
  const [status, error, reason] = responses[code as string] ?? malformed;
  const message = isTls ? `the client speaks https; use http://${bracketed(localAddress)}:${localPort}` : reason;
  const body = JSON.stringify({ error, message });
  const headers = ["Connection: close", JSON_HEADERS.join(": "), `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("\r\n")}\r\n\r\n${body}`, () => {
    socket.destroy();
  });
  return { status, message };
}

/** The first byte of a TLS connection. Source: RFC 8446, section 5.1. */
const TLS_HANDSHAKE = 22;

const malformed: readonly [status: number, error: number, message: string] = [
  400,
  40000,
  "request: cannot be parsed; send valid HTTP/1.1",
];

const responses: Readonly<Record<string, typeof malformed>> = {
  HPE_PAUSED_H2_UPGRADE: [400, 40000, "the client speaks HTTP/2; use HTTP/1.1"],
  HPE_HEADER_OVERFLOW: [431, 43101, "headers: are too large; send fewer or shorter headers"],
  NO_HOST: [400, 40000, "Host: is required; send it"],
  EXPECTATION: [417, 41701, "Expect: must be 100-continue, or absent"],
  CONNECT: [501, 50101, "CONNECT: the mock is not a proxy; send requests to it directly"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 40801, "request: did not arrive in time; send it faster"],
};

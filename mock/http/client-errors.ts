import type { Duplex } from "node:stream";
import { JSON_HEADERS } from "../service/wire-reply.ts";
import { STATUS_CODES } from "./node-http.ts";

/** Responds to a request that node:http could not parse, and closes its connection. */
export function answerClientError({ code }: NodeJS.ErrnoException, socket: Duplex): void {
  const [status, error, message] = responses[code as string] ?? malformed;
  const body = JSON.stringify({ error, message });
  const headers = [`Connection: close`, JSON_HEADERS.join(": "), `Content-Length: ${Buffer.byteLength(body)}`];
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${headers.join("\r\n")}\r\n\r\n${body}`, () => {
    socket.destroy();
  });
}

type ClientErrorResponse = readonly [status: number, error: number, message: string];

const malformed: ClientErrorResponse = [400, 40000, "request: cannot be parsed; send valid HTTP/1.1"];

const responses: Readonly<Record<string, ClientErrorResponse>> = {
  HPE_HEADER_OVERFLOW: [431, 43101, "headers: are too large; send fewer or shorter headers"],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 41302, "body: its chunk extensions are too large; remove them"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 40801, "request: did not arrive in time; send it faster"],
};

import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Delivery, ReplyDelivery } from "../service/delivery.ts";
import { NO_BODY, type WireReply } from "../service/reply.ts";

export function deliver(delivery: Delivery, response: ServerResponse): void {
  switch (delivery.how) {
    case "reply":
      sendReply(delivery, response);
      break;
    case "truncatedBody":
      sendHalf(delivery, response, () => response.req.socket.destroySoon());
      break;
    case "stalledBody":
      sendHalf(delivery, response);
      delivery.ended.then(() => inTurn(response, (socket) => socket.resetAndDestroy()));
      break;
    case "lostResponse":
      inTurn(response, (socket) => socket.destroySoon());
      break;
    default:
      // Only `networkError`: in the HTTP mock, `inject` rejects faults of the kind `connectionRefused`.
      inTurn(response, (socket) => socket.resetAndDestroy());
  }
}

/** Breaks the connection of a response, but not before the responses to earlier requests on it are over. */
function inTurn(response: ServerResponse, breakOff: (socket: Socket) => void): void {
  if (response.socket) breakOff(response.socket);
  else response.once("socket", breakOff);
}

/** Sends a whole response. The headers stay a flat list: an object would cost a fifth of the throughput. */
export function sendReply({ status, headers, body }: WireReply, response: ServerResponse): void {
  if (NO_BODY.has(status)) response.writeHead(status, [...headers]).end();
  else {
    // Node writes the headers in the encoding of a text that follows.
    const content = headers.every(isAscii) ? body : Buffer.from(body);
    response.writeHead(status, [...headers, "Content-Length", `${Buffer.byteLength(body)}`]).end(content);
  }
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** Sends the headers and half of the body, and leaves the response open. */
function sendHalf(delivery: ReplyDelivery, response: ServerResponse, onSent: () => void = () => {}): void {
  const { status, headers, body } = delivery;
  if (NO_BODY.has(status) || response.req.method === "HEAD") {
    sendReply(delivery, response); // There is no body to truncate.
    return;
  }
  const bytes = Buffer.from(body);
  // At least 1, so that even an empty body is incomplete.
  const length = Math.max(1, bytes.length);
  response.writeHead(status, [...headers, "Content-Length", `${length}`]);
  response.write(bytes.subarray(0, bytes.length / 2), onSent);
}

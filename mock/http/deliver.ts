import type { ServerResponse } from "node:http";
import type { Delivery, ReplyDelivery } from "../service/delivery.ts";
import { NO_BODY } from "../service/reply.ts";

export function deliver(delivery: Delivery, response: ServerResponse): void {
  const { socket } = response.req;
  switch (delivery.how) {
    case "reply":
      sendReply(delivery, response);
      break;
    case "truncatedBody":
      sendHalf(delivery, response, () => socket.destroySoon());
      break;
    case "stalledBody":
      sendHalf(delivery, response);
      delivery.ended.then(() => socket.resetAndDestroy());
      break;
    case "lostResponse":
      socket.destroySoon();
      break;
    default:
      // Only `networkError`: in the HTTP mock, `inject` rejects faults of the kind `connectionRefused`.
      socket.resetAndDestroy();
  }
}

/** Sends a whole response. The headers stay a flat list: an object would cost a fifth of the throughput. */
export function sendReply(
  { status, headers, body }: Pick<ReplyDelivery, "status" | "headers" | "body">,
  response: ServerResponse,
): void {
  if (NO_BODY.has(status)) response.writeHead(status, [...headers]).end();
  else response.writeHead(status, [...headers, "Content-Length", `${Buffer.byteLength(body)}`]).end(body);
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

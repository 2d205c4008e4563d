import type { ServerResponse } from "node:http";
import type { Delivery, ServiceReply } from "../service/service-reply.ts";
import { NO_BODY, type WireReply } from "../service/wire-reply.ts";

/** Sends the response of the service, whole or as a fault changes it. */
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
      // A reset of the session resets the connection, as it does for every open request.
      sendHalf(delivery, response);
      break;
    case "lostResponse":
      socket.destroySoon();
      break;
    default:
      delivery.how satisfies "networkError" | "connectionRefused"; // `inject` refuses the latter.
      socket.resetAndDestroy();
  }
}

/** Sends a whole response. The headers stay a flat list: an object would cost a fifth of the throughput. */
export function sendReply({ status, headers, body }: WireReply, response: ServerResponse): void {
  if (NO_BODY.has(status)) {
    response.writeHead(status, [...headers]).end();
    return;
  }
  const length = Buffer.byteLength(body);
  // Node writes the headers in the encoding of a text that follows; theirs is Latin-1.
  const content = length === body.length ? body : Buffer.from(body);
  response.writeHead(status, [...headers, "Content-Length", `${length}`]).end(content, "latin1");
}

/** Sends the headers and half of the body, and leaves the response open. */
function sendHalf(delivery: ServiceReply, response: ServerResponse, onSent: () => void = () => {}): void {
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

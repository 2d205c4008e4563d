import type { WireReply } from "./wire-reply.ts";

/** How an adapter must respond to a request. */
export type Delivery = ReplyDelivery | FailureDelivery;

/** A response, complete or not. */
export type ReplyDelivery = CompleteDelivery | StalledDelivery;

interface CompleteDelivery extends WireReply {
  /** `truncatedBody`: send the headers with the full Content-Length and half of the body, then close the connection. */
  readonly how: "reply" | "truncatedBody";
}

interface StalledDelivery extends WireReply {
  /** Send the headers with the full Content-Length and half of the body, and nothing more until `ended`. */
  readonly how: "stalledBody";
  /** Resolves on reset: then reset the connection. */
  readonly ended: Promise<void>;
}

/** No response at all. */
export interface FailureDelivery {
  /**
   * `networkError`: reset the connection; a reset of the session ends open requests in this way too.
   * `lostResponse`: close the connection without a response.
   * `connectionRefused`: fail as if no server were listening.
   */
  readonly how: "networkError" | "lostResponse" | "connectionRefused";
}

/** The delivery of a request that a reset has ended. */
export const NETWORK_ERROR: Delivery = { how: "networkError" };

/** The error of an adapter that does not know a delivery. For one that forgets to handle it, this does not compile. */
export function unknownDelivery(delivery: never): Error {
  return new Error(`unknown delivery ${JSON.stringify(delivery)}`);
}

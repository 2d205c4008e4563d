import type { WireReply } from "./reply.ts";

/** What an adapter is to do with a request. */
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
   * `networkError`: reset the connection (also done to open requests when the mock is reset).
   * `lostResponse`: close the connection without a response.
   * `connectionRefused`: fail as if no server were listening.
   */
  readonly how: "networkError" | "lostResponse" | "connectionRefused";
}

/** How a request ends that a reset interrupts. */
export const NETWORK_ERROR: Delivery = { how: "networkError" };

/** Each adapter as messages name it. The in-memory one can reproduce every fault. */
export const adapterNames = {
  memory: "the in-memory mock (session.fetch)",
  msw: "MSW in Node",
  browser: "the MSW service worker",
  http: "the HTTP mock",
} as const;

export type AdapterName = keyof typeof adapterNames;

import type { WireReply } from "./reply.ts";

/** What an adapter is to do with a request. */
export type Delivery = ReplyDelivery | FailureDelivery;

/** A reply, complete or not. */
export type ReplyDelivery = CompleteDelivery | StalledDelivery;

interface CompleteDelivery extends WireReply {
  /** `truncatedBody`: send the headers with the full Content-Length and half of the body, then break the connection. */
  readonly how: "reply" | "truncatedBody";
}

interface StalledDelivery extends WireReply {
  /** Send the headers with the full Content-Length and half of the body, and nothing more until `ended`. */
  readonly how: "stalledBody";
  /** Resolves on reset: break the connection then. */
  readonly ended: Promise<void>;
}

/** No reply at all. */
export interface FailureDelivery {
  /**
   * `networkError`: reset the connection (a reset of the mock fails its open exchanges in the same way).
   * `lostResponse`: close the connection without a reply.
   * `connectionRefused`: fail as if nobody listened.
   */
  readonly how: "networkError" | "lostResponse" | "connectionRefused";
}

/** How an exchange ends that a reset cuts short. */
export const NETWORK_ERROR: Delivery = { how: "networkError" };

/** Each form of the mock, in words. The in-memory form can do every fault. */
export const adapterNames = {
  memory: "the in-memory form (session.fetch)",
  msw: "MSW in Node",
  browser: "the MSW service worker",
  http: "the HTTP form",
} as const;

/** The forms of the mock that can be in use. */
export type AdapterName = keyof typeof adapterNames;

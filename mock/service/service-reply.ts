import type { WireReply } from "./wire-reply.ts";

/** Why the mock rejects a request. Each cause has its own `error` value. */
export type Cause =
  | "severalTokens"
  | "missingToken"
  | "invalidToken"
  | "mediaType"
  | "encoding"
  | "json"
  | "newPlant"
  | "unknownFields"
  | "duplicateId"
  | "notFound"
  | "methodNotAllowed"
  | "tooLarge"
  | "rateLimited";

/** A behavior of the mock that the contract does not specify. */
export type AssumptionName = Cause | "anyToken" | "outside";

/**
 * The origin of a response: `declared` by the contract, `assumed` by the mock or its options, or `injected` by the test
 * as a fault.
 */
export type Provenance = "declared" | "assumed" | "injected";

/** The origin of a response, and the assumption that it relies on. */
export interface Source {
  readonly provenance: Provenance;
  readonly assumption: AssumptionName | undefined;
}

/** The contract declares the response. */
export const DECLARED: Source = { provenance: "declared", assumption: undefined };

/** An option of the test specifies the response; the contract does not. */
export const CONFIGURED: Source = { provenance: "assumed", assumption: undefined };

/** A response of the service, complete or not. */
export interface ServiceReply extends WireReply {
  readonly source: Source;
  /**
   * `truncatedBody`: send the headers with the full Content-Length and half of the body, then close the connection.
   * `stalledBody`: send the same, and nothing more until `ended`.
   */
  readonly how: "reply" | "truncatedBody" | "stalledBody";
  /** Resolves on reset, of a `stalledBody`: then reset the connection. */
  readonly ended?: Promise<void>;
}

/**
 * How an adapter must respond to a request: with a response, or without one.
 *
 * `networkError`: reset the connection; a reset of the session ends open requests in this way too.
 * `lostResponse`: close the connection without a response.
 * `connectionRefused`: fail as if no server were listening.
 */
export type Delivery = ServiceReply | { readonly how: "networkError" | "lostResponse" | "connectionRefused" };

/** The delivery of a request that a reset has ended. */
export const NETWORK_ERROR: Delivery = { how: "networkError" };

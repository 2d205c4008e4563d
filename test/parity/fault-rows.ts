import type { AnyPlantStoreError } from "plant-store-client";
import { type Fault, faults } from "plant-store-client/mock";

/** One fault of a type, and what a client without retries reports of it. */
interface FaultRow {
  readonly example: Fault;
  /** `ok` if the call succeeds. */
  readonly kind: AnyPlantStoreError["kind"] | "ok";
  readonly outcome: AnyPlantStoreError["outcome"] | "created";
  /** Whether the mock stores the plant. */
  readonly isStored: boolean;
}

/** A type of fault, or one of its forms. */
export type RowName = Fault["type"] | "reply, stored";

/** What the client reports for each fault, with every adapter of the mock. */
export const rows: Readonly<Record<RowName, FaultRow>> = {
  apiError: {
    example: faults.apiError(17, "the greenhouse is full"),
    kind: "api",
    outcome: "rejected",
    isStored: false,
  },
  unauthorized: { example: faults.unauthorized(), kind: "api", outcome: "rejected", isStored: false },
  reply: {
    example: faults.reply({ status: 500, headers: { "Content-Type": "text/html" }, body: "<h1>Oops</h1>" }),
    kind: "response",
    outcome: "unknown",
    isStored: false,
  },
  "reply, stored": {
    example: faults.reply({ status: 502, body: "Bad Gateway" }, { stored: true }),
    kind: "response",
    outcome: "unknown",
    isStored: true,
  },
  rateLimited: { example: faults.rateLimited(1), kind: "api", outcome: "rejected", isStored: false },
  delay: { example: faults.delay(20), kind: "ok", outcome: "created", isStored: true },
  hang: { example: faults.hang(), kind: "timeout", outcome: "unknown", isStored: false },
  networkError: { example: faults.networkError(), kind: "connection", outcome: "unknown", isStored: false },
  connectionRefused: { example: faults.connectionRefused(), kind: "connection", outcome: "not-sent", isStored: false },
  lostResponse: { example: faults.lostResponse(), kind: "connection", outcome: "unknown", isStored: true },
  truncatedBody: { example: faults.truncatedBody(), kind: "connection", outcome: "unknown", isStored: true },
  stalledBody: { example: faults.stalledBody(), kind: "timeout", outcome: "unknown", isStored: true },
};

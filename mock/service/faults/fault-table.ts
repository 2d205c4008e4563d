import type { DoorName } from "../adapter.ts";
import type { Fault } from "./fault.ts";

/** What the client reports of a fault, and which forms of the mock cannot do it. */
export interface FaultRow {
  /** The client's `kind`; `ok` where the call succeeds. */
  readonly kind: "ok" | "api" | "response" | "connection" | "timeout";
  /** The client's `outcome`: may the plant exist now? */
  readonly outcome: "created" | "not-sent" | "rejected" | "unknown";
  /** Whether the mock holds the plant afterwards. */
  readonly isStored: boolean;
  /** The forms that cannot do it. */
  readonly cannot: readonly DoorName[];
}

const everywhere: readonly DoorName[] = [];

/**
 * Each fault, with what the client makes of it. Tests run this table on every form of the mock; the page in docs is
 * printed from it.
 */
export const faultTable: { readonly [Type in Fault["type"]]: FaultRow } = {
  apiError: { kind: "api", outcome: "rejected", isStored: false, cannot: everywhere },
  reply: { kind: "response", outcome: "unknown", isStored: false, cannot: everywhere },
  rateLimited: { kind: "api", outcome: "rejected", isStored: false, cannot: everywhere },
  delay: { kind: "ok", outcome: "created", isStored: true, cannot: everywhere },
  hang: { kind: "timeout", outcome: "unknown", isStored: false, cannot: everywhere },
  networkError: { kind: "connection", outcome: "unknown", isStored: false, cannot: everywhere },
  // Elsewhere the request has arrived before the fault is looked up: there is no refusing it any more.
  connectionRefused: { kind: "connection", outcome: "not-sent", isStored: false, cannot: ["msw", "browser", "http"] },
  lostResponse: { kind: "connection", outcome: "unknown", isStored: true, cannot: everywhere },
  truncatedBody: { kind: "connection", outcome: "unknown", isStored: true, cannot: everywhere },
  stalledBody: { kind: "timeout", outcome: "unknown", isStored: true, cannot: everywhere },
};

/** Each form of the mock, in words. The in-memory form can do every fault. */
export const doorNames: { readonly [Name in DoorName]: string } = {
  memory: "the in-memory form (session.fetch)",
  msw: "MSW in Node",
  browser: "the MSW service worker",
  http: "the HTTP form",
};

/**
 * Refuses a fault that a form in use cannot do: a fault never pretends.
 *
 * @throws TypeError that names the forms that can do it.
 */
export function checkDoors(fault: Fault, doors: Iterable<DoorName>): void {
  const { cannot } = faultTable[fault.type];
  for (const door of doors) {
    if (!cannot.includes(door)) continue;
    const able = (Object.keys(doorNames) as DoorName[]).filter((name) => !cannot.includes(name));
    throw new TypeError(
      `fault ${fault.type}: ${doorNames[door]} is in use and cannot do it; ` +
        `use ${able.map((name) => doorNames[name]).join(" or ")} on a mock of its own`,
    );
  }
}

import type { Fault } from "../../service/faults/fault.ts";
import type { QueuedFault } from "../../service/faults/fault-queue.ts";
import { shortenFault } from "../../service/faults/shorten-fault.ts";
import type { LoggedRequest, PlantMatch } from "../../service/mock-plant-store.ts";
import type { HeldGate } from "../../service/sessions/gate.ts";
import type { NumberedEntry } from "../../service/sessions/journal.ts";

/** A queued fault, as the control API describes it. */
export interface FaultInfo {
  readonly name: string;
  readonly fault: Fault;
  readonly times: number | "unlimited";
  readonly used: number;
  /** The fields that a request's plant must have, or "function" if a function of the test decides. */
  readonly when?: PlantMatch | "function";
}

export function describeFault(queued: QueuedFault): FaultInfo {
  const { name, fault, times, used, when } = queued;
  return {
    name,
    fault: shortenFault(fault),
    times: times === Number.POSITIVE_INFINITY ? "unlimited" : times,
    used,
    ...(when !== undefined && { when: typeof when === "function" ? "function" : when }),
  };
}

/** A closed gate and the requests that it holds. */
export interface GateInfo {
  readonly name: string;
  readonly arrived: number;
  readonly held: readonly { readonly method: string; readonly path: string; readonly id?: number | bigint }[];
}

export function describeGate(gate: HeldGate): GateInfo {
  const held = [...gate.held].map((entry) => {
    const id = entry.readPlant()?.id;
    return { method: entry.method, path: entry.path, ...(id !== undefined && { id }) };
  });
  return { name: gate.name, arrived: gate.arrivedCount, held };
}

/** A recorded request without its headers and bodies, for lists. */
export interface RequestSummary extends LoggedRequest {
  readonly number: number;
  readonly isOver: boolean;
}

export function summarize({ number, entry }: NumberedEntry): RequestSummary {
  const { durationMs, fault, ...logged } = entry.logged;
  const isOver = entry.isSettled;
  return {
    number,
    isOver,
    ...logged,
    ...(fault !== undefined && { fault: shortenFault(fault) }),
    ...(isOver && durationMs !== undefined && { durationMs }),
  };
}

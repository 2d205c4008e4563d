import type { QueuedFault } from "../../service/faults/fault-queue.ts";
import { shortenFault } from "../../service/faults/shorten-fault.ts";
import type { RecordedRequest } from "../../service/mock-plant-store.ts";
import type { HeldGate } from "../../service/sessions/gate.ts";
import type { JournalEntry } from "../../service/sessions/journal-entry.ts";
import type { SessionState } from "../../service/sessions/session-state.ts";

/** A queued fault as JSON. Its `when` has the fields of the plant, or is "function" if a function of the test decides. */
export function describeFault({ name, fault, times, used, when }: QueuedFault) {
  return {
    name,
    fault: shortenFault(fault),
    times: times === Number.POSITIVE_INFINITY ? ("unlimited" as const) : times,
    used,
    when: typeof when === "function" ? ("function" as const) : when,
  };
}

/** A closed gate and the requests that it holds, as JSON. */
export function describeGate(gate: HeldGate, limit = Number.POSITIVE_INFINITY) {
  const held = take(gate.held, limit).map((entry) => ({ method: entry.method, path: entry.path, id: entry.plant?.id }));
  return { name: gate.name, arrived: gate.arrivedCount, held };
}

/** A recorded request with its number, counted from 1 since the last reset. */
export function describeRequest({ number, view }: JournalEntry): RecordedRequest & { number: number } {
  return { number, ...view };
}

/** A recorded request without its headers and bodies as JSON, for lists. */
export function summarize(entry: JournalEntry) {
  const { number, sequence, isSettled: isOver, at, method, path, token, plant, status } = entry;
  const { provenance, assumption, reason, durationMs } = entry;
  const fault = entry.fault && shortenFault(entry.fault);
  const outcome = { status, provenance, assumption, reason, fault, durationMs };
  return { number, sequence, isOver, at, method, path, token, plant, ...outcome };
}

/**
 * The state of a session as JSON, without its plants and requests, and with the beginning of longer lists: the stream of
 * events repeats it up to ten times a second.
 */
export function describeState({ journal, plants, faults, gates }: SessionState, baseUrl: string) {
  return {
    baseUrl,
    requests: journal.count,
    plants: plants.size,
    faultCount: faults.size,
    faults: take(faults.queued, LISTED).map(describeFault),
    heldCount: [...gates].reduce((sum, gate) => sum + gate.heldCount, 0),
    gateCount: gates.size,
    gates: take(gates, LISTED).map((gate) => ({ ...describeGate(gate, LISTED), heldCount: gate.heldCount })),
  };
}

const LISTED = 100;

function take<Item>(items: Iterable<Item>, limit: number): Item[] {
  const taken: Item[] = [];
  for (const item of items) {
    if (taken.length === limit) break;
    taken.push(item);
  }
  return taken;
}

import type { QueuedFault } from "../../service/faults/fault-queue.ts";
import { shortenFault } from "../../service/faults/shorten-fault.ts";
import type { HeldGate } from "../../service/sessions/gate.ts";
import type { JournalEntry } from "../../service/sessions/journal-entry.ts";

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
export function describeGate(gate: HeldGate) {
  const held = [...gate.held].map((entry) => ({ method: entry.method, path: entry.path, id: entry.readPlant()?.id }));
  return { name: gate.name, arrived: gate.arrivedCount, held };
}

/** A recorded request without its headers and bodies as JSON, for lists. */
export function summarize(entry: JournalEntry) {
  const { number, sequence, isSettled: isOver, at, method, path, token, plant, status } = entry;
  const { provenance, assumption, reason, durationMs } = entry;
  const fault = entry.fault && shortenFault(entry.fault);
  const outcome = { status, provenance, assumption, reason, fault, durationMs };
  return { number, sequence, isOver, at, method, path, token, plant, ...outcome };
}

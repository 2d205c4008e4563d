import { describeQueued, type QueuedFault } from "../faults/fault-queue.ts";
import type { JournalEntry } from "./journal-entry.ts";
import type { SessionState } from "./session-state.ts";

/**
 * Complains of what a test should not leave behind.
 *
 * @throws Error with one line for each problem, and how to fix it.
 */
export function verify(state: SessionState): void {
  const problems = [...unusedFaults(state), ...heldRequests(state), ...state.complaints.lines];
  if (problems.length === 0) return;
  throw new Error(`mock.verify() found ${count(problems.length, "problem")}:\n- ${problems.join("\n- ")}`);
}

function unusedFaults({ faults }: SessionState): string[] {
  const unused = faults.queued.filter(({ times, used }) => used === 0 || times !== Number.POSITIVE_INFINITY);
  return unused.map((queued) => `the fault ${describeQueued(queued)} was ${usage(queued)}: ${FIX_FAULT}`);
}

const FIX_FAULT = "send the requests that it is for, or inject it fewer times";

function usage({ used, times }: QueuedFault): string {
  if (used === 0) return "never used";
  return `used ${used} of ${times} times`;
}

function heldRequests({ gates }: SessionState): string[] {
  const held = new Set<JournalEntry>();
  for (const gate of gates) {
    for (const entry of gate.held) held.add(entry);
  }
  if (held.size === 0) return [];
  const [{ method, path }] = [...held] as [JournalEntry];
  return [
    `${count(held.size, "request")} held at a gate, first ${method} ${path}: call release() on the gate, or reset()`,
  ];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

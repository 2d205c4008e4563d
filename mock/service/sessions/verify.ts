import type { InjectedFault } from "../faults/injected-faults.ts";
import type { RequestRecord } from "./request-record.ts";
import type { SessionState } from "./session-state.ts";
import { LISTED } from "./session-state.ts";

/**
 * Fails if a test left anything behind.
 *
 * @throws Error with one line per problem, each with its fix.
 */
export function verify(state: SessionState): void {
  const problems = [
    ...unusedFaults(state),
    ...unreachedGates(state),
    ...heldRequests(state),
    ...waitingRequests(state),
    ...state.problems.lines,
  ];
  if (problems.length === 0) return;
  throw new Error(`mock.verify() found ${count(problems.length, "problem")}:\n- ${problems.join("\n- ")}`);
}

function unusedFaults({ faults }: SessionState): string[] {
  const unused = [...faults.injected].filter(({ times, used, probability }) => {
    return probability === undefined && (used === 0 || times !== Number.POSITIVE_INFINITY);
  });
  const lines = unused
    .slice(0, LISTED)
    .map((injected) => `the fault ${nameOf(injected)} was ${usage(injected)}: ${FIX_FAULT}`);
  if (unused.length > LISTED) lines.push(`and ${unused.length - LISTED} more faults like these`);
  return lines;
}

const FIX_FAULT = "send matching requests, or inject it fewer times";

/** An injected fault as text, e.g. `rateLimited #1 (when {"id":7})`. */
function nameOf({ number, fault, when }: InjectedFault): string {
  const name = `${fault.type} #${number}`;
  if (when === undefined) return name;
  const text =
    typeof when === "function"
      ? "a function matches"
      : JSON.stringify(when, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  return `${name} (when ${text})`;
}

function usage({ used, times }: InjectedFault): string {
  return used === 0 ? "never used" : `used ${used} of ${times} times`;
}

function unreachedGates({ gates, unreachedGates }: SessionState): string[] {
  const number = unreachedGates + [...gates].filter(({ arrivedCount }) => arrivedCount === 0).length;
  return number === 0 ? [] : [`${count(number, "gate")} held no request: send a request after hold()`];
}

function heldRequests({ gates }: SessionState): string[] {
  const held = new Set([...gates].flatMap((gate) => [...gate.held.keys()]));
  return pending(held, "held at a gate", "call release() on the gate, or reset()");
}

function waitingRequests({ waiting }: SessionState): string[] {
  return pending(new Set(waiting.values()), "waiting in a fault", "abort the client's call first, or call reset()");
}

function pending(records: ReadonlySet<RequestRecord>, where: string, fix: string): string[] {
  const [first] = records;
  if (first === undefined) return [];
  return [`${count(records.size, "request")} ${where}, first ${first.method} ${first.path}: ${fix}`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

import type { InjectedFault } from "../faults/injected-faults.ts";
import type { SessionState } from "./session-state.ts";
import { LISTED } from "./session-state.ts";

/**
 * Fails if a test left anything behind. A request that waits in a fault has met it as planned, and is no problem: over HTTP,
 * its client may have given up long before the mock hears of it.
 *
 * @throws Error with one line per problem, each with its fix.
 */
export function verify(state: SessionState): void {
  const problems = [...unusedFaults(state), ...unreachedGates(state), ...heldRequests(state), ...state.problems.lines];
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
  const [first] = held;
  if (first === undefined) return [];
  const requests = `${count(held.size, "request")} held at a gate, first ${first.method} ${first.path}`;
  return [`${requests}: call release() on the gate, or reset()`];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

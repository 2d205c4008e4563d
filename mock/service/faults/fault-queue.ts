import { describe } from "../../../src/checks/describe.ts";
import { checkedLater, integer, type Rules } from "../../../src/checks/rules.ts";
import { reasonOf } from "../../../src/checks/schema.ts";
import { checkOptions, readVerdict } from "../check-options.ts";
import type { InjectOptions, RecordedRequest } from "../mock-plant-store.ts";
import type { RequestRecord } from "../sessions/request-record.ts";
import { isMatch, plantMatchRules, withNarrowIntegers } from "../stored-plant.ts";
import { shortenFault } from "./fault.ts";
import type { Fault } from "./fault-table.ts";

export interface QueuedFault {
  /** Higher than that of every fault injected before. */
  readonly number: number;
  readonly fault: Fault;
  /** The fault as recorded requests and lists show it. */
  readonly shown: Fault;
  readonly times: number;
  used: number;
  readonly when: InjectOptions["when"];
}

/** The faults of one session, in the order injected. */
export class FaultQueue implements Iterable<QueuedFault> {
  /** A set, from which any fault is removed in constant time. */
  readonly #queue = new Set<QueuedFault>();
  #injected = 0;

  get size(): number {
    return this.#queue.size;
  }

  /** How many were injected so far: the number of the newest one. */
  get injectedCount(): number {
    return this.#injected;
  }

  [Symbol.iterator](): Iterator<QueuedFault> {
    return this.#queue.values();
  }

  remove(queued: QueuedFault): void {
    this.#queue.delete(queued);
  }

  push(fault: Fault, options: InjectOptions | undefined): void {
    const { times = 1, when } = checkInjection(options);
    this.#queue.add({ number: ++this.#injected, fault, shown: shortenFault(fault), times, used: 0, when });
  }

  /**
   * Returns the first fault that matches, and counts its use.
   *
   * @param onThrow - Called with the problem if a `when` function throws; the fault then counts as not matching.
   */
  take(record: RequestRecord, onThrow: (problem: string) => void): QueuedFault | undefined {
    for (const queued of this.#queue) {
      try {
        if (!matches(queued.when, record)) continue;
      } catch (error) {
        onThrow(`the \`when\` function of the fault ${queued.fault.type} threw${reasonOf(error)}`);
        continue;
      }
      if (++queued.used === queued.times) this.remove(queued);
      return queued;
    }
    return undefined;
  }
}

function matches(when: QueuedFault["when"], record: RequestRecord): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return readVerdict(when(record.view as RecordedRequest));
  return record.plant !== undefined && isMatch(record.plant, when);
}

/** Checks and copies the options of `inject`. Converts the id to match into the form that the store holds. */
export function checkInjection(options: InjectOptions | undefined): InjectOptions {
  const { times, when } = checkOptions(options, INJECT_RULES);
  if (when === undefined || typeof when === "function") return { times, when };
  const match = checkOptions(when, plantMatchRules, { noun: "field", within: "when" });
  return { times, when: withNarrowIntegers(match) };
}

const INJECT_RULES: Rules<InjectOptions> = {
  times: (value) =>
    value === Number.POSITIVE_INFINITY || integer(1)(value) === undefined
      ? undefined
      : `must be an integer from 1, or Infinity ("unlimited" in JSON), not ${describe(value)}`,
  when: checkedLater,
};

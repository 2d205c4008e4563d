import { describe } from "../../../src/checks/describe.ts";
import { checkedLater, integer, type Rules, string } from "../../../src/checks/rules.ts";
import { reasonOf } from "../../../src/checks/schema.ts";
import { int64, narrowInt64 } from "../../../src/contract/int64.ts";
import { NEW_PLANT_NAMES } from "../../../src/contract/plant.ts";
import { checkOptions } from "../check-options.ts";
import { type Linked, LinkedList } from "../linked-list.ts";
import type { InjectOptions, PlantMatch, RecordedRequest } from "../mock-plant-store.ts";
import { readVerdict } from "../predicate.ts";
import { bigintAsText } from "../sessions/inspect.ts";
import type { JournalEntry } from "../sessions/journal-entry.ts";
import type { Problems } from "../sessions/problems.ts";
import { randomName } from "../tokens.ts";
import type { Fault } from "./fault.ts";

export interface QueuedFault extends Linked<QueuedFault> {
  /** Higher than that of every fault injected before. */
  readonly number: number;
  /** The name of the fault in the control API. */
  readonly name: string;
  readonly fault: Fault;
  readonly times: number;
  used: number;
  readonly when: InjectOptions["when"];
}

/** The faults of one session, in the order injected. */
export class FaultQueue {
  readonly #queue = new LinkedList<QueuedFault>();
  #injected = 0;

  get size(): number {
    return this.#queue.size;
  }

  get queued(): Iterable<QueuedFault> {
    return this.#queue;
  }

  remove(queued: QueuedFault): void {
    this.#queue.remove(queued);
  }

  push(fault: Fault, options: InjectOptions | undefined): void {
    const { times = 1, when } = checkInjection(options);
    this.#queue.push({ number: ++this.#injected, name: randomName("fault"), fault, times, used: 0, when });
  }

  /**
   * Returns the first fault that matches, and counts its use.
   *
   * @param problems - Gets the error of a `when` function that throws; the fault then counts as not matching.
   */
  take(entry: JournalEntry, problems: Problems): Fault | undefined {
    const latest = this.#injected;
    for (let queued = this.#queue.first; queued; queued = queued.next) {
      // A `when` function may itself inject a fault: if that one counted too, this would never end.
      if (queued.number > latest) break;
      try {
        if (!matches(queued.when, entry)) continue;
      } catch (error) {
        const problem = `the \`when\` function of the fault ${queued.fault.type} threw${reasonOf(error)}`;
        problems.add(problem, "fix that function");
        continue;
      }
      // It may also send a request, which uses up a fault.
      if (queued.used === queued.times) continue;
      if (++queued.used === queued.times) this.remove(queued);
      return queued.fault;
    }
    return undefined;
  }
}

/** A queued fault as text, e.g. `rateLimited (when {"id":7})`. */
export function describeQueued({ fault, when }: QueuedFault): string {
  if (when === undefined) return fault.type;
  const text = typeof when === "function" ? "a function matches" : JSON.stringify(when, bigintAsText);
  return `${fault.type} (when ${text})`;
}

function matches(when: QueuedFault["when"], entry: JournalEntry): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return readVerdict(when(entry.view as RecordedRequest));
  const { plant } = entry;
  if (plant === undefined) return false;
  return NEW_PLANT_NAMES.every((field) => when[field] === undefined || when[field] === plant[field]);
}

/** Checks and copies the options of `inject`. Converts the id to match into the form that the store holds. */
export function checkInjection(options: InjectOptions | undefined): InjectOptions {
  const { times, when } = checkOptions(options, INJECT_RULES);
  if (when === undefined || typeof when === "function") return { times, when };
  const match = checkOptions(when, MATCH_RULES, { noun: "field", within: "when" });
  return { times, when: match.id === undefined ? match : { ...match, id: narrowInt64(match.id) } };
}

const INJECT_RULES: Rules<InjectOptions> = {
  times: (value) =>
    value === Number.POSITIVE_INFINITY || integer(1)(value) === undefined
      ? undefined
      : `must be an integer from 1, or Infinity ("unlimited" in JSON), not ${describe(value)}`,
  when: checkedLater,
};

const MATCH_RULES: Rules<PlantMatch> = { id: int64, name: string, tag: string };

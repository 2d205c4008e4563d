import { isInt64, narrowInt64 } from "../../../src/contract/int64.ts";
import type { InjectOptions, PlantMatch, RecordedRequest } from "../mock-plant-store.ts";
import type { Exchange } from "../sessions/exchange.ts";
import type { Fault } from "./fault.ts";

/** A fault that waits for the requests it is for. */
export interface QueuedFault {
  readonly fault: Fault;
  readonly times: number;
  used: number;
  readonly when: InjectOptions["when"];
}

/** The faults of one session, in the order injected. */
export class FaultQueue {
  readonly #queue: QueuedFault[] = [];

  get isEmpty(): boolean {
    return this.#queue.length === 0;
  }

  /** What is still queued. */
  get queued(): readonly QueuedFault[] {
    return this.#queue;
  }

  push(fault: Fault, { times = 1, when }: InjectOptions): void {
    if (times !== Number.POSITIVE_INFINITY && (!Number.isInteger(times) || times < 1)) {
      throw new TypeError("times: must be an integer from 1, or Infinity");
    }
    this.#queue.push({ fault, times, used: 0, when: typeof when === "function" ? when : checkMatch(when) });
  }

  /**
   * Uses up the first fault that matches.
   *
   * @param complain - Told when a `when` function throws; its fault does not match then.
   */
  take(exchange: Exchange, complain: (problem: string, mend: string) => void): Fault | undefined {
    for (const [index, queued] of this.#queue.entries()) {
      try {
        if (!matches(queued.when, exchange)) continue;
      } catch (error) {
        complain(`the \`when\` of the fault ${queued.fault.type} threw ${error}`, "mend that function");
        continue;
      }
      if (++queued.used >= queued.times) this.#queue.splice(index, 1);
      return queued.fault;
    }
    return undefined;
  }
}

/** A queued fault in words, e.g. `rateLimited (when {"id":7})`. */
export function describeQueued({ fault, when }: QueuedFault): string {
  if (when === undefined) return fault.type;
  const text = typeof when === "function" ? "its function says so" : JSON.stringify(when, bigintAsNumber);
  return `${fault.type} (when ${text})`;
}

const bigintAsNumber = (_key: string, value: unknown) => (typeof value === "bigint" ? `${value}` : value);

function matches(when: QueuedFault["when"], exchange: Exchange): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return when(exchange.view as RecordedRequest) === true;
  const plant = exchange.readPlant();
  if (plant === undefined) return false;
  return (["id", "name", "tag"] as const).every((field) => when[field] === undefined || when[field] === plant[field]);
}

/** A copy of the fields to match, the id as the store holds it. */
function checkMatch(when: PlantMatch | undefined): PlantMatch | undefined {
  if (when === undefined) return undefined;
  if (typeof when !== "object" || when === null) throw new TypeError("when: must be a function, or { id, name, tag }");
  const { id, name, tag, ...rest } = when;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined) throw new TypeError(`when.${unknown}: is no field of a plant; use id, name or tag`);
  if (id !== undefined && !isInt64(id)) throw new TypeError("when.id: must be an int64, as a safe number or a bigint");
  for (const [field, value] of Object.entries({ name, tag })) {
    if (value !== undefined && typeof value !== "string") throw new TypeError(`when.${field}: must be a string`);
  }
  return { id: id === undefined ? undefined : narrowInt64(BigInt(id)), name, tag };
}

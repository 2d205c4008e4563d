import { describe } from "../../../src/checks/describe.ts";
import { checkedLater, integer, mustBe, type Rules } from "../../../src/checks/rules.ts";
import { reasonOf } from "../../../src/checks/thrown.ts";
import type { Clock } from "../../time/clock.ts";
import { checkOptions, readVerdict } from "../check-options.ts";
import type { InjectOptions, RecordedRequest } from "../mock-plant-store.ts";
import type { RequestRecord } from "../sessions/request-record.ts";
import { isMatch, plantMatchRules, withNarrowIntegers } from "../stored-plants.ts";
import { shortenFault } from "./check-fault.ts";
import type { Fault } from "./fault-table.ts";

export interface InjectedFault extends Pick<InjectOptions, "when" | "probability"> {
  /** Higher than that of every fault injected before. */
  readonly number: number;
  readonly fault: Fault;
  /** The fault as recorded requests and lists show it. */
  readonly shown: Fault;
  readonly times: number;
  used: number;
}

/** The faults of one session. */
export class InjectedFaults {
  /** In the order injected. A set, from which any fault is removed in constant time. */
  readonly injected = new Set<InjectedFault>();
  /** How many were injected so far: the number of the newest one. */
  count = 0;

  /** @param clock - Whose chance decides about faults with a probability. */
  constructor(private readonly clock: Clock) {}

  add(fault: Fault, options: InjectOptions | undefined): void {
    const { probability, times = probability === undefined ? 1 : Infinity, when } = checkInjection(options);
    const number = ++this.count;
    this.injected.add({ number, fault, shown: shortenFault(fault), times, used: 0, when, probability });
  }

  /**
   * Returns the first fault that matches, and counts its use.
   *
   * @param onThrow - Called with the problem if a `when` function throws; the fault then counts as not matching.
   */
  take(record: RequestRecord, onThrow: (problem: string) => void): InjectedFault | undefined {
    for (const injected of this.injected) {
      try {
        if (!matches(injected.when, record) || !this.#isDrawn(injected)) continue;
      } catch (error) {
        onThrow(`the \`when\` function of the fault ${injected.fault.type} threw${reasonOf(error)}`);
        continue;
      }
      if (++injected.used === injected.times) this.injected.delete(injected);
      return injected;
    }
    return undefined;
  }

  /** Whether chance chooses the fault for this request. */
  #isDrawn({ probability = 1 }: InjectedFault): boolean {
    return probability === 1 || this.clock.random() < probability;
  }
}

function matches(when: InjectedFault["when"], record: RequestRecord): boolean {
  if (when === undefined) return true;
  if (typeof when === "function") return readVerdict(when(record.view as RecordedRequest));
  return record.plant !== undefined && isMatch(record.plant, when);
}

/** Checks and copies the options of `inject`. Converts the id to match into the form that the store holds. */
export function checkInjection(options: InjectOptions | undefined): InjectOptions {
  const { when, ...others } = checkOptions(options, INJECT_RULES);
  if (when === undefined || typeof when === "function") return { ...others, when };
  const match = checkOptions(when, plantMatchRules, { noun: "field", within: "when" });
  return { ...others, when: withNarrowIntegers(match) };
}

const INJECT_RULES: Rules<InjectOptions> = {
  times: (value) =>
    value === Number.POSITIVE_INFINITY || integer(1)(value) === undefined
      ? undefined
      : `must be an integer from 1, or Infinity ("unlimited" in JSON), not ${describe(value)}`,
  probability: mustBe(
    "a number above 0 and at most 1",
    (value) => typeof value === "number" && value > 0 && value <= 1,
  ),
  when: checkedLater,
};

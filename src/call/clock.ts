import { isRecord } from "../checks/objects.ts";
import { mustBe, type Rule } from "../checks/rules.ts";

/** The source of time and randomness; the mock has one whose time can be skipped. */
export interface Clock {
  /** The current date, in milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** A random number, at least 0 and less than 1. */
  random(): number;
  /** Calls back once after `ms` milliseconds. Returns the timer, whose type is the clock's own, for `cancel`. */
  after(ms: number, callback: () => void): unknown;
  /** Cancels a timer. */
  cancel(timer: unknown): void;
  /**
   * Called before foreign code runs that may take real time (a token provider, `fetch`, the read of a body, the input of
   * createPlants), so that virtual time waits for it.
   *
   * @param what - What is waited for, in words.
   * @param reject - Called with the reason if virtual time stands still for too long: it fails what is waited for.
   * @returns The function that is called when it has settled or, with `true`, is no longer waited for.
   */
  hold?(what: string, reject?: (reason: Error) => void): (isLeft?: boolean) => void;
}

export const clockProblem: Rule = /* @__PURE__ */ mustBe(
  "a Clock",
  (value) => isRecord(value) && typeof value.after === "function",
);

/** The key of the clock of a client, which createPlants takes; registered, so that all copies of the package share it. */
export const CLOCK: unique symbol = /* @__PURE__ */ Symbol.for("plant-store-client.clock") as never;

/** The runtime's clock. It looks up the globals at each call, so that fake timers take effect. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

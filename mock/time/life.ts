import type { Clock, Random } from "./clock.ts";
import { asyncHooks, currentZone } from "./runtime.ts";
import type { JumpingClock, QueuedTimer, VirtualClock } from "./virtual-clock.ts";

/** A life of a scenario, which a kill may end before its run; and its clock. From then on it does nothing. */
export class Life implements VirtualClock {
  readonly #clock: JumpingClock;
  readonly date: Clock["date"];
  readonly now: Clock["now"];
  readonly random: Clock["random"];
  readonly cancel: Clock["cancel"];
  /** Ends the run: with what the code did, and the error. */
  readonly fail: (what: string, error?: unknown) => void;
  /** How many of its timers and immediates have fired. */
  fired = 0;
  /** Timers of the globals, and immediates, that are pending. */
  readonly timers: Set<{ outlive(): void }> = new Set();
  readonly immediates: Set<unknown> = new Set();
  /** Owns what a kill stops on its way. */
  readonly #risk = {};
  isOver = false;
  /** The length of the longest timer that has fired. */
  longestMs = 0;

  constructor(clock: JumpingClock, fail: Life["fail"]) {
    this.#clock = clock;
    this.fail = fail;
    ({ date: this.date, now: this.now, random: this.random, cancel: this.cancel } = clock);
  }

  readonly after = (ms: number, callback: () => void): Partial<QueuedTimer> => {
    if (this.isOver) return {};
    const fire = () => {
      this.fired++;
      this.longestMs = Math.max(this.longestMs, ms);
      this.guard(callback);
    };
    return this.#clock.after(ms, fire, this);
  };

  readonly sleep = (ms: number): Promise<void> => this.untilOver(this.#clock.sleep(ms));

  readonly advance = (ms: number): Promise<void> =>
    this.untilOver(this.isOver ? Promise.resolve() : this.#clock.advance(ms));

  /** Holds the time. Code that a client called does not: its waits are virtual too, and its real work is seen. */
  readonly hold = (what: string, reject?: (reason: Error) => void): (() => void) => {
    return reject || this.isOver ? () => {} : this.#clock.hold(what);
  };

  /** Calls a callback of the scenario: what it throws fails the run. */
  guard(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.fail("it threw", error);
    }
  }

  /** The same promise; it never settles once the life is over. */
  untilOver<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      promise.then(
        (value) => this.isOver || resolve(value),
        (error) => this.isOver || reject(error),
      );
    });
  }

  /**
   * Does something after `ms` milliseconds that a kill meanwhile may prevent, or not: half of the times. Its promise never
   * settles once the life is over.
   */
  atRisk<Result>(ms: number, random: Random, act: () => Result | Promise<Result>): Promise<Result> {
    if (this.isOver) return new Promise(() => {});
    const owner = random() < 0.5 ? this.#risk : undefined;
    return this.untilOver(new Promise<void>((resolve) => this.#clock.after(ms, resolve, owner)).then(act));
  }

  /** Ends the life, and its timers. */
  end(): void {
    this.isOver = true;
    this.#clock.drop(this);
    for (const timer of this.timers) timer.outlive();
    this.timers.clear();
  }

  /** Ends the life in the middle. */
  kill(): void {
    this.end();
    this.#clock.drop(this.#risk);
  }
}

/** The lives of the process, and whose code runs: copies of this package share it. */
export class Lives {
  readonly #storage = new (asyncHooks as NonNullable<typeof asyncHooks>).AsyncLocalStorage<Life>();
  #simulations = 0;
  #restore!: () => void;

  /** The life whose code runs now, also one that is over; undefined for all other code. */
  readonly find = (): Life | undefined => {
    const life = this.#storage.getStore();
    const ofZone = currentZone()?.get(KEY) as Life | undefined;
    if (ofZone && ofZone !== life) ofZone.fail(ZONE);
    return life;
  };

  /** The same, unless that life is over. */
  readonly findLive = (): Life | undefined => {
    const life = this.find();
    return life?.isOver ? undefined : life;
  };

  /** Runs code in a life. */
  run<Result>(life: Life, start: () => Result): Result {
    const zone = currentZone()?.fork({ name: "simulate", properties: { [KEY]: life } });
    return this.#storage.run(life, () => (zone ? zone.run(start) : start()));
  }

  /**
   * Simulates while the globals are replaced.
   *
   * @param replace - Replaces them, and returns the function that restores them.
   */
  async simulate<Result>(replace: () => () => void, simulation: () => Promise<Result>): Promise<Result> {
    if (this.#simulations === 0) this.#restore = replace();
    this.#simulations++;
    try {
      return await simulation();
    } finally {
      this.#simulations--;
      if (this.#simulations === 0) this.#restore();
    }
  }
}

const KEY = "plant-store-client.simulations";

const ZONE =
  "zone.js has promises that lose the async context of this scenario: compile async functions to native ones " +
  "(target ES2017 or later) and use await in place of then, or simulate without zone.js";

/**
 * The lives of this process.
 *
 * @throws TypeError if the runtime has no async context, as a browser and React Native.
 */
export function livesOfProcess(): Lives {
  const key = Symbol.for(KEY);
  const shared = globalThis as { [key]?: Lives };
  if (!asyncHooks) {
    throw new TypeError(
      "simulate: needs AsyncLocalStorage, which tells the code of the scenario from other code; run it on Node, Bun or Deno",
    );
  }
  shared[key] ??= new Lives();
  return shared[key];
}

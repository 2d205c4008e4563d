import type { Random } from "./random.ts";
import type { JumpingClock, VirtualClock } from "./virtual-clock.ts";

/** How often code may read the time before it passes. A loop that only reads it would otherwise never end. */
const MAX_READS = 1_000_000;

/** The clock for code whose life may end before its run does, e.g. by a kill: from then on it does nothing. */
export class LifeClock implements VirtualClock {
  readonly #clock: JumpingClock;
  /** Called with what the callback of a timer throws, and with the error of a loop that only reads the time. */
  readonly onError: (error: unknown) => void;
  /** Owns what a kill stops on its way. */
  readonly #risk = {};
  #jumps = 0;
  #reads = 0;
  isOver = false;

  constructor(clock: JumpingClock, onError: (error: unknown) => void) {
    this.#clock = clock;
    this.onError = onError;
  }

  readonly date = (): number => this.#read().date();
  readonly now = (): number => this.#read().now();
  readonly random = (): number => this.#clock.random();

  readonly after = (ms: number, callback: () => void): object => {
    if (this.isOver) return {};
    const guarded = () => {
      try {
        callback();
      } catch (error) {
        this.onError(error);
      }
    };
    return this.#clock.after(ms, guarded, this);
  };

  readonly cancel = (timer: unknown): void => this.#clock.cancel(timer);

  readonly sleep = (ms: number): Promise<void> => this.settle(this.#clock.sleep(ms));

  readonly advance = (ms: number): Promise<void> =>
    this.settle(this.isOver ? Promise.resolve() : this.#clock.advance(ms));

  /** Holds the time. Code that a client called does not: its waits are virtual too, and its real work is seen. */
  readonly hold = (what: string, reject?: (reason: Error) => void): (() => void) => {
    return reject || this.isOver ? () => {} : this.#clock.hold(what);
  };

  /** The same promise; it never settles once the life is over. */
  settle<Value>(promise: Promise<Value>): Promise<Value> {
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
    return this.settle(new Promise<void>((resolve) => this.#clock.after(ms, resolve, owner)).then(act));
  }

  /** Ends the life, and drops its timers. */
  end(): void {
    this.isOver = true;
    this.#clock.drop(this);
  }

  /** Ends the life in the middle. */
  kill(): void {
    this.end();
    this.#clock.drop(this.#risk);
  }

  #read(): JumpingClock {
    if (this.#jumps !== this.#clock.jumps) this.#reads = 0;
    this.#jumps = this.#clock.jumps;
    if (++this.#reads > MAX_READS) {
      const error = new Error(`the time was read ${MAX_READS} times while none passed: a loop waits without a timer`);
      this.onError(error);
      throw error;
    }
    return this.#clock;
  }
}

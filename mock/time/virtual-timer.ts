import { describe, isPromise } from "../../src/checks/describe.ts";
import { MAX_TIMER_MS } from "../../src/checks/rules.ts";
import type { LifeClock } from "./life-clock.ts";
import { DISPOSE } from "./runtime.ts";

/** Finds the clock of the code that runs now; undefined outside a run, where the runtime's own time holds. */
export type FindClock = () => LifeClock | undefined;

type Callback = (...values: unknown[]) => unknown;

/** The timers whose numbers were asked for: `clearTimeout` accepts these too. */
const numbered = new Map<unknown, VirtualTimeout>();
/** Far from the numbers of the runtime's own timers. */
let lastNumber = 2 ** 30;

/** The delay of a timer by Node's rules: whole milliseconds, and 1 for everything out of range. */
export function delayOf(ms: unknown): number {
  const delay = Number(ms);
  return delay >= 1 && delay <= MAX_TIMER_MS ? Math.trunc(delay) : 1;
}

/** A timer of virtual time with the methods of Node's. */
export class VirtualTimeout {
  readonly #clock: LifeClock;
  readonly #callback: () => void;
  readonly #delayMs: number;
  readonly #repeats: boolean;
  #timer: object | undefined;
  #isClosed = false;
  #hasRef = true;
  #number: number | undefined;

  constructor(clock: LifeClock, callback: () => void, delayMs: number, repeats: boolean) {
    this.#clock = clock;
    this.#callback = callback;
    this.#delayMs = delayMs;
    this.#repeats = repeats;
    this.refresh();
  }

  /** Finds a timer by itself or its number. */
  static find(timer: unknown): VirtualTimeout | undefined {
    return timer instanceof VirtualTimeout ? timer : numbered.get(typeof timer === "string" ? Number(timer) : timer);
  }

  refresh(): this {
    this.#clock.cancel(this.#timer);
    if (!this.#isClosed) this.#timer = this.#clock.after(this.#delayMs, () => this.#fire());
    return this;
  }

  ref(): this {
    this.#hasRef = true;
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    return this;
  }

  hasRef(): boolean {
    return this.#hasRef;
  }

  close(): this {
    this.#isClosed = true;
    this.#clock.cancel(this.#timer);
    if (this.#number !== undefined) numbered.delete(this.#number);
    return this;
  }

  [DISPOSE](): void {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    this.#number ??= ++lastNumber;
    if (!this.#isClosed) numbered.set(this.#number, this);
    return this.#number;
  }

  #fire(): void {
    try {
      this.#callback();
    } finally {
      if (this.#repeats) this.refresh();
    }
  }
}

/** The global functions of timers, by the clock of the code that calls them. */
export function virtualTimers(find: FindClock) {
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
  const clear = (real: (timer: never) => void) => (timer: unknown) => {
    const virtual = VirtualTimeout.find(timer);
    if (virtual) virtual.close();
    else real(timer as never);
  };
  return {
    setTimeout: (callback: Callback, ms?: unknown, ...values: unknown[]) => {
      const clock = find();
      if (!clock) return setTimeout(callback, ms as number, ...values);
      return new VirtualTimeout(clock, called(clock, callback, values), delayOf(ms), false);
    },
    setInterval: (callback: Callback, ms?: unknown, ...values: unknown[]) => {
      const clock = find();
      if (!clock) return setInterval(callback, ms as number, ...values);
      return new VirtualTimeout(clock, called(clock, callback, values), delayOf(ms), true);
    },
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
    // Browsers have none.
    ...(typeof setImmediate === "function" && {
      setImmediate: (callback: Callback, ...values: unknown[]) => {
        const clock = find();
        if (!clock) return setImmediate(callback, ...values);
        return new VirtualTimeout(clock, called(clock, callback, values), 0, false);
      },
      clearImmediate: clear(clearImmediate),
    }),
  };
}

function called(clock: LifeClock, callback: Callback, values: unknown[]): () => void {
  if (typeof callback !== "function") {
    throw new TypeError(`The "callback" argument must be of type function. Received ${describe(callback)}`);
  }
  return () => {
    const result = callback(...values);
    // The rejection of an async callback would end the process.
    if (isPromise(result)) (result as Promise<unknown>).then(undefined, clock.onError);
  };
}

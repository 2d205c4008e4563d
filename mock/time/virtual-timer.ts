import { describe, isPromise } from "../../src/checks/describe.ts";
import { MAX_TIMER_MS } from "../../src/checks/rules.ts";
import type { LifeClock } from "./life-clock.ts";
import { DISPOSE } from "./runtime.ts";

/** Finds the clock of the code that runs now; undefined outside a run, where the runtime's own time holds. */
export type FindClock = () => LifeClock | undefined;

/** A function of the runtime, which is another one in a run. */
export function inRun<Values extends unknown[], Result>(
  find: FindClock,
  real: (...values: never[]) => unknown,
  virtual: (clock: LifeClock, ...values: Values) => Result,
): (...values: Values) => Result {
  return (...values) => {
    const clock = find();
    return clock ? virtual(clock, ...values) : (real as (...values: Values) => Result)(...values);
  };
}

/** The timers whose numbers were asked for: `clearTimeout` accepts these too. */
const numbered = new Map<number, VirtualTimeout>();
/** Far from the numbers of the runtime's own timers. */
let lastNumber = 2 ** 30;

/** The delay of a timer by Node's rules: whole milliseconds, and 1 for everything out of range. */
export function delayOf(ms: unknown): number {
  const delay = Number(ms);
  return delay >= 1 && delay <= MAX_TIMER_MS ? Math.trunc(delay) : 1;
}

type Callback = (...values: unknown[]) => unknown;

/** A timer of virtual time with the methods of Node's. */
class VirtualTimeout {
  readonly #clock: LifeClock;
  readonly #call: () => unknown;
  readonly #delayMs: number;
  readonly #repeats: boolean;
  readonly #number = ++lastNumber;
  #timer: object | undefined;
  #isClosed = false;
  #hasRef = true;

  constructor(clock: LifeClock, callback: Callback, values: unknown[], delayMs: number, repeats = false) {
    if (typeof callback !== "function") {
      throw new TypeError(`The "callback" argument must be of type function. Received ${describe(callback)}`);
    }
    this.#clock = clock;
    this.#call = () => callback(...values);
    this.#delayMs = delayMs;
    this.#repeats = repeats;
    this.refresh();
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
    numbered.delete(this.#number);
    return this;
  }

  [DISPOSE](): void {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    numbered.set(this.#number, this);
    return this.#number;
  }

  #fire(): void {
    try {
      const result = this.#call();
      // The rejection of an async callback would end the process.
      if (isPromise(result)) (result as Promise<unknown>).then(undefined, this.#clock.onError);
    } finally {
      if (this.#repeats) this.refresh();
    }
  }
}

/**
 * The global functions of timers, by the clock of the code that calls them. The connections of undici outlive a run, and
 * need its immediates.
 */
export function virtualTimers(find: FindClock) {
  const { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;
  return {
    setTimeout: inRun(
      find,
      setTimeout,
      (clock, callback: Callback, ms?: unknown, ...values: unknown[]) =>
        new VirtualTimeout(clock, callback, values, delayOf(ms)),
    ),
    setInterval: inRun(
      find,
      setInterval,
      (clock, callback: Callback, ms?: unknown, ...values: unknown[]) =>
        new VirtualTimeout(clock, callback, values, delayOf(ms), true),
    ),
    setImmediate: inRun(find, setImmediate, (clock, callback: Callback, ...values: unknown[]) =>
      clock.isOver ? setImmediate(callback, ...values) : new VirtualTimeout(clock, callback, values, 0),
    ),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
    clearImmediate: clear(clearImmediate),
  };
}

/** Clears a virtual timer, given by itself or its number, and leaves others to the real function. */
function clear(real: (timer: never) => void): (timer: unknown) => void {
  return (timer) => {
    const virtual = timer instanceof VirtualTimeout ? timer : numbered.get(Number(timer));
    if (virtual) virtual.close();
    else real(timer as never);
  };
}

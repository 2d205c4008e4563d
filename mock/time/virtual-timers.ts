import { describe, isPromise } from "../../src/checks/describe.ts";
import { MAX_TIMER_MS } from "../../src/checks/rules.ts";
import type { Life, Lives } from "./life.ts";
import { builtinModule, DISPOSE, inCallersContext, type OwnTime } from "./runtime.ts";

type Callback = (...values: unknown[]) => unknown;
type Timers = Pick<
  typeof globalThis,
  "setTimeout" | "setInterval" | "setImmediate" | "clearTimeout" | "clearInterval" | "clearImmediate"
>;

/** A function of the runtime, which is another one for the code that `find` finds the life of. */
export function inLife<Values extends unknown[], Result>(
  find: () => Life | undefined,
  real: (...values: never[]) => unknown,
  virtual: (life: Life, ...values: Values) => Result,
): (...values: Values) => Result {
  return (...values) => {
    const life = find();
    return life ? virtual(life, ...values) : (real as (...values: Values) => Result)(...values);
  };
}

/** The timers whose numbers were asked for: `clearTimeout` accepts these too. */
const numbered = new Map<number, VirtualTimeout>();
/** Far from the numbers of the runtime's own timers. */
let lastNumber = 2 ** 30;

/** The delay of a timer by Node's rules: whole milliseconds, and 1 for everything out of range. */
function delayOf(ms: unknown): number {
  const delay = Number(ms);
  return delay >= 1 && delay <= MAX_TIMER_MS ? Math.trunc(delay) : 1;
}

function checkCallback(callback: unknown): void {
  if (typeof callback === "function") return;
  throw new TypeError(`The "callback" argument must be of type function. Received ${describe(callback)}`);
}

/** What a timer is made of. */
interface TimerInit {
  readonly life: Life;
  readonly call: () => unknown;
  readonly ms: number;
  readonly repeats: boolean;
  /** The runtime's own functions. */
  readonly real: OwnTime;
  /** Whether every timer that is pending at the end of its life goes on: nobody knows whose it is. */
  readonly outlives: boolean;
}

/**
 * A timer of virtual time with the methods of Node's. Libraries create some once and keep them, such as undici's, the
 * interval of a limiter or the reaper of a pool: one that is unref'd goes on in real time when its life ends, and so does
 * one that is refreshed later.
 */
class VirtualTimeout {
  readonly #init: TimerInit;
  readonly #number = ++lastNumber;
  /** The timer of the clock. */
  #virtual: { readonly at?: number } | undefined;
  /** The timer of the runtime that goes on. */
  #real: ReturnType<typeof setTimeout> | undefined;
  #hasRef = true;
  #isClosed = false;

  constructor(init: TimerInit) {
    this.#init = init;
    this.#start(init.ms);
  }

  refresh(): this {
    if (this.#isClosed) return this;
    this.#stop();
    this.#start(this.#init.ms, true);
    return this;
  }

  ref(): this {
    this.#hasRef = true;
    this.#real?.ref?.();
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    this.#real?.unref?.();
    // One that is set by code whose life is over.
    if (!this.#virtual && !this.#real && this.#init.life.isOver) this.#start(this.#init.ms, true);
    return this;
  }

  hasRef(): boolean {
    return this.#hasRef;
  }

  close(): this {
    this.#isClosed = true;
    this.#stop();
    return this;
  }

  [DISPOSE](): void {
    this.close();
  }

  [Symbol.toPrimitive](): number {
    if (this.#virtual ?? this.#real) numbered.set(this.#number, this);
    return this.#number;
  }

  outlive(): void {
    const { life, outlives } = this.#init;
    const leftMs = (this.#virtual?.at as number) - life.now();
    this.#stop();
    if (!this.#hasRef || outlives) this.#start(Math.max(1, leftMs), true);
  }

  /** @param isKept - Whether it goes on in real time after its life. */
  #start(ms: number, isKept = false): void {
    const { life, real } = this.#init;
    if (!life.isOver) {
      life.timers.add(this);
      this.#virtual = life.after(ms, () => this.#fire());
    } else if (isKept && !this.#isClosed) {
      this.#real = real.setTimeout(() => this.#fire(), ms);
      if (!this.#hasRef) this.#real.unref?.();
    }
  }

  #stop(): void {
    const { life, real } = this.#init;
    life.timers.delete(this);
    numbered.delete(this.#number);
    life.cancel(this.#virtual);
    real.clearTimeout(this.#real);
    this.#virtual = undefined;
    this.#real = undefined;
  }

  #fire(): void {
    const number = numbered.has(this.#number);
    this.#stop();
    try {
      this.#init.call();
    } finally {
      if (this.#init.repeats && !this.#isClosed && !this.#virtual && !this.#real) this.#start(this.#init.ms, true);
      if (number && (this.#virtual ?? this.#real)) numbered.set(this.#number, this);
    }
  }
}

/** A rejection that nobody handles ends the process, and so the run of its code; what a life leaves behind is of no interest. */
export function failUnhandled(life: Life, error: unknown): void {
  if (!life.isOver) life.fail("it left a rejection unhandled:", error);
}

/** The global functions of timers, for the code of lives. */
export function virtualTimers(lives: Lives): Timers {
  const { real } = lives;
  const { setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;

  const timerFunction = (name: "setTimeout" | "setInterval") => {
    const { [name]: before } = globalThis;
    const set = (callback: Callback, ms?: unknown, ...values: unknown[]) => {
      const life = lives.find();
      if (!life || isOfRuntime(life, set)) return before(callback, ms as number, ...values);
      checkCallback(callback);
      const call = inCallersContext(() => {
        const result = callback(...values);
        // Not every runtime says whose rejection it is.
        if (isPromise(result)) (result as Promise<unknown>).then(undefined, (error) => failUnhandled(life, error));
      });
      const repeats = name === "setInterval";
      return new VirtualTimeout({ life, call, ms: delayOf(ms), repeats, real, outlives: !lives.hasContext });
    };
    return set;
  };

  /** Immediates are real: they take no time. */
  const virtualImmediate = (callback: Callback, ...values: unknown[]) => {
    const life = lives.find();
    if (!life || isOfRuntime(life, virtualImmediate)) return setImmediate(callback, ...values);
    checkCallback(callback);
    const immediate = setImmediate(() => {
      life.immediates.delete(immediate);
      if (life.isOver) callback(...values);
      else life.guard(() => void callback(...values));
    });
    if (life.isOver) clearImmediate(immediate);
    else life.immediates.add(immediate);
    return immediate;
  };

  /** Clears a virtual timer, given by itself or its number, and leaves others to the real function. */
  const clear = (clearReal: (timer: never) => void) => (timer: unknown) => {
    const virtual = timer instanceof VirtualTimeout ? timer : numbered.get(Number(timer));
    if (virtual) virtual.close();
    else clearReal(timer as never);
  };
  return {
    setTimeout: timerFunction("setTimeout"),
    setInterval: timerFunction("setInterval"),
    setImmediate: virtualImmediate,
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
    clearImmediate: (immediate: NodeJS.Immediate) => {
      lives.find()?.immediates.delete(immediate);
      clearImmediate(immediate);
    },
  } as never;
}

/**
 * Whether Node itself, or undici, calls a function for a life: its connections need real time while there are any, and
 * outlive the run. A look at the stack takes 20 µs.
 */
function isOfRuntime(life: Life, called: (...values: never[]) => unknown): boolean {
  if (!life.isOver && !life.seesWork()) return false;
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 1;
  const { stack } = captured(called);
  Error.stackTraceLimit = stackTraceLimit;
  return /node:internal|[\\/]undici[\\/]/.test(`${stack}`);
}

function captured(below: (...values: never[]) => unknown): { readonly stack?: string } {
  const holder = {};
  Error.captureStackTrace?.(holder, below);
  return holder;
}

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly ref?: boolean;
}

/** The part of `node:timers/promises` that is replaced. */
interface TimerPromises {
  setTimeout(): Promise<unknown>;
  setImmediate(): Promise<unknown>;
  setInterval(): AsyncIterable<unknown>;
  readonly scheduler: object;
}

/** The functions of `node:timers/promises`, for the code of lives. */
export function virtualPromises(lives: Lives, timers: Timers) {
  const module = builtinModule<TimerPromises>("node:timers/promises");
  const { setTimeout, setImmediate, setInterval } = module ?? ({} as TimerPromises);
  const promises = {
    setTimeout: inLife(lives.find, setTimeout, (_, ms?: number, value?: unknown, options?: WaitOptions) =>
      wait((done) => timers.setTimeout(done, ms), timers.clearTimeout, value, options),
    ),
    setImmediate: inLife(lives.find, setImmediate, (_, value?: unknown, options?: WaitOptions) =>
      wait((done) => timers.setImmediate(done), timers.clearImmediate, value, options),
    ),
    setInterval: inLife(lives.find, setInterval, (_, ms?: number, value?: unknown, options?: WaitOptions) =>
      every(timers, ms, value, options),
    ),
  };
  const scheduler = {
    wait: (ms: number, options?: WaitOptions) => promises.setTimeout(ms, undefined, options),
    yield: () => promises.setImmediate(),
  };
  return { module, promises, scheduler };
}

function wait<Timer>(
  start: (done: () => void) => Timer,
  clear: (timer: Timer) => void,
  value?: unknown,
  { signal }: WaitOptions = {},
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clear(timer);
      reject(abortError(signal));
    };
    const timer = start(() => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  });
}

/** It keeps its period, also if its reader is slow. */
async function* every(timers: Timers, ms?: number, value?: unknown, { signal }: WaitOptions = {}) {
  let ticks = 0;
  let wake!: () => void;
  const onTick = () => {
    ticks++;
    wake();
  };
  const timer = timers.setInterval(onTick, ms);
  const onAbort = () => wake();
  signal?.addEventListener("abort", onAbort);
  try {
    for (;;) {
      if (signal?.aborted) throw abortError(signal);
      if (ticks === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      } else {
        ticks--;
        yield value;
      }
    }
  } finally {
    timers.clearInterval(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}

/** As Node's own. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

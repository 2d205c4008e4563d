import { isPromise } from "../../src/checks/describe.ts";
import { MAX_TIMER_MS } from "../../src/checks/rules.ts";
import type { Life, Lives } from "./life.ts";
import { builtinModule, DISPOSE, inCallersContext, real } from "./runtime.ts";
import type { QueuedTimer } from "./virtual-clock.ts";

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

/** A rejection that nobody handles ends the process, and so the run of its code; what a life leaves behind is of no interest. */
export function failUnhandled(life: Life, error: unknown): void {
  if (!life.isOver) life.fail("it left a rejection unhandled:", error);
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

/**
 * A timer of virtual time with the methods of Node's. Libraries create some once and keep them, such as undici's, the
 * interval of a limiter or the reaper of a pool: an interval, or one that is unref'd, goes on in real time when its life
 * ends, and so does one that is refreshed later.
 */
class VirtualTimeout {
  readonly #life: Life;
  readonly #call: () => unknown;
  readonly #ms: number;
  readonly #repeats: boolean;
  readonly #number = ++lastNumber;
  /** The timer of the clock, or of the runtime after the life. */
  #timer: Partial<Pick<QueuedTimer, "at" | "ref" | "unref">> | undefined;
  #hasRef = true;
  #isClosed = false;

  constructor(life: Life, call: () => unknown, ms: number, repeats: boolean) {
    this.#life = life;
    this.#call = call;
    this.#ms = ms;
    this.#repeats = repeats;
    if (!life.isOver || repeats) this.#start(ms);
  }

  refresh(): this {
    this.#stop();
    if (!this.#isClosed) this.#start(this.#ms);
    return this;
  }

  ref(): this {
    this.#hasRef = true;
    if (!this.#repeats) this.#timer?.ref?.();
    return this;
  }

  unref(): this {
    this.#hasRef = false;
    this.#timer?.unref?.();
    // One that is set by code whose life is over.
    if (!this.#timer && this.#life.isOver) this.refresh();
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
    if (this.#timer) numbered.set(this.#number, this);
    return this.#number;
  }

  /** Goes on in real time when its life ends, or never fires. */
  outlive(): void {
    const leftMs = (this.#timer?.at as number) - this.#life.now();
    this.#stop();
    if (this.#repeats || !this.#hasRef) this.#start(Math.max(1, leftMs));
  }

  #start(ms: number): void {
    const fire = () => this.#fire();
    if (this.#life.isOver) {
      this.#timer = real.setTimeout(fire, ms) as Partial<NodeJS.Timeout>;
    } else {
      this.#life.timers.add(this);
      this.#timer = this.#life.after(ms, fire);
    }
    // An interval that a run has left behind keeps neither the run going nor the process alive.
    if (this.#repeats || !this.#hasRef) this.#timer?.unref?.();
  }

  #stop(): void {
    this.#life.timers.delete(this);
    numbered.delete(this.#number);
    this.#life.cancel(this.#timer);
    real.clearTimeout(this.#timer as never);
    this.#timer = undefined;
  }

  #fire(): void {
    this.#life.timers.delete(this);
    this.#timer = undefined;
    if (!this.#repeats) numbered.delete(this.#number);
    // An interval that throws has ended its run.
    this.#call();
    if (this.#repeats && !this.#isClosed && !this.#timer) this.#start(this.#ms);
  }
}

/** Whether undici called: its connections are kept after the life that opened them, and serve others. */
function isCalledByUndici(stack: string | undefined): boolean {
  const caller = stack?.split("\n", FRAMES_TO_CALLER)[FRAMES_TO_CALLER - 1];
  return caller !== undefined && /[/\\]undici[/\\]/.test(caller);
}

/** The message, the function that it was made in, and the one of the globals. */
const FRAMES_TO_CALLER = 4;

/** The global functions of timers, for the code of lives. */
export function virtualTimers(lives: Lives): Timers {
  const { setImmediate, clearTimeout, clearInterval, clearImmediate } = globalThis;

  const timerFunction = (name: "setTimeout" | "setInterval") => {
    const before = globalThis[name];
    return inLife(lives.find, before, (life, callback: Callback, ms?: unknown, ...values: unknown[]) => {
      // The runtime refuses what is no function.
      if (typeof callback !== "function") return before(callback);
      const call = inCallersContext(() => {
        const result = callback(...values);
        // Not every runtime says whose rejection it is, and one after the run is of no interest.
        if (isPromise(result)) (result as Promise<unknown>).then(undefined, (error) => failUnhandled(life, error));
      });
      return new VirtualTimeout(life, call, delayOf(ms), name === "setInterval");
    });
  };

  /** Immediates are real: they take no time. */
  const virtualImmediate = (life: Life, callback: Callback, ...values: unknown[]) => {
    if (life.isOver && isCalledByUndici(new Error().stack)) return setImmediate(callback, ...values);
    const immediate = setImmediate(() => {
      life.immediates.delete(immediate);
      life.fired++;
      life.guard(() => void callback(...values));
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
    setImmediate: inLife(lives.find, setImmediate, virtualImmediate),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval),
    clearImmediate: (immediate: NodeJS.Immediate) => {
      lives.find()?.immediates.delete(immediate);
      clearImmediate(immediate);
    },
  } as never;
}

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The functions of `node:timers/promises`, for the code of lives. */
export function virtualPromises(lives: Lives, timers: Timers) {
  const module = builtinModule("node:timers/promises");
  const { setTimeout, setImmediate, setInterval } = module;
  const sleep = (ms?: number, value?: unknown, options?: WaitOptions) =>
    wait((done) => timers.setTimeout(done, ms), timers.clearTimeout, value, options);
  const promises = {
    setTimeout: inLife(lives.find, setTimeout, (_, ...values: Parameters<typeof sleep>) => sleep(...values)),
    setImmediate: inLife(lives.find, setImmediate, (_, value?: unknown, options?: WaitOptions) =>
      wait((done) => timers.setImmediate(done), timers.clearImmediate, value, options),
    ),
    setInterval: inLife(lives.find, setInterval, (_, ms?: number, value?: unknown, options?: WaitOptions) =>
      every(sleep, ms, value, options),
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
async function* every(
  sleep: (ms: number, value: unknown, options: WaitOptions | undefined) => Promise<unknown>,
  ms: unknown,
  value: unknown,
  options: WaitOptions | undefined,
) {
  const period = delayOf(ms);
  for (let next = performance.now() + period; ; next += period) {
    yield await sleep(next - performance.now(), value, options);
  }
}

/** As Node's own. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

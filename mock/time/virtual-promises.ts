import type { LifeClock } from "./life-clock.ts";
import { delayOf, type FindClock, VirtualTimeout } from "./virtual-timer.ts";

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The part of `node:timers/promises` that is replaced. */
export interface TimerPromises {
  setTimeout<Value>(ms?: unknown, value?: Value, options?: WaitOptions): Promise<Value>;
  setImmediate<Value>(value?: Value, options?: WaitOptions): Promise<Value>;
  setInterval<Value>(ms?: unknown, value?: Value, options?: WaitOptions): AsyncIterable<Value>;
  readonly scheduler: Scheduler;
}

interface Scheduler {
  wait(ms: number, options?: WaitOptions): Promise<void>;
  yield(): Promise<void>;
}

/** The functions of `node:timers/promises`, by the clock of the code that calls them. */
export function virtualPromises(find: FindClock, real: TimerPromises | undefined) {
  const { setTimeout, setImmediate, setInterval } = real ?? ({} as TimerPromises);
  const timers = {
    setTimeout: <Value>(ms?: unknown, value?: Value, options?: WaitOptions) => {
      const clock = find();
      return clock ? wait(clock, delayOf(ms), value, options) : setTimeout(ms, value, options);
    },
    setImmediate: <Value>(value?: Value, options?: WaitOptions) => {
      const clock = find();
      return clock ? wait(clock, 0, value, options) : setImmediate(value, options);
    },
    setInterval: <Value>(ms?: unknown, value?: Value, options?: WaitOptions) => {
      const clock = find();
      return clock ? every(clock, delayOf(ms), value, options) : setInterval(ms, value, options);
    },
  };
  const scheduler = {
    wait: (ms: number, options?: WaitOptions) => timers.setTimeout(ms, undefined, options),
    yield: () => timers.setImmediate(),
  };
  return { timers, scheduler };
}

function wait<Value>(clock: LifeClock, ms: number, value?: Value, { signal }: WaitOptions = {}): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      timer.close();
      reject(abortError(signal));
    };
    const timer = new VirtualTimeout(
      clock,
      () => {
        signal?.removeEventListener("abort", abort);
        resolve(value as Value);
      },
      ms,
      false,
    );
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

/** Yields a value each `ms` milliseconds. What its reader was too slow for comes at once. */
async function* every<Value>(clock: LifeClock, ms: number, value?: Value, options?: WaitOptions) {
  for (let next = clock.now() + ms; ; next += ms) {
    const waitMs = next - clock.now();
    if (waitMs > 0) await wait(clock, waitMs, undefined, options);
    yield value as Value;
  }
}

/** As Node's own. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

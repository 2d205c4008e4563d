import type { LifeClock } from "./life-clock.ts";
import { delayOf, type FindClock, inRun } from "./virtual-timer.ts";

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The part of `node:timers/promises` that is replaced. */
export interface TimerPromises {
  setTimeout(): Promise<unknown>;
  setImmediate(): Promise<unknown>;
  setInterval(): AsyncIterable<unknown>;
  readonly scheduler: object;
}

/** The functions of `node:timers/promises`, by the clock of the code that calls them. */
export function virtualPromises(find: FindClock, real: TimerPromises | undefined) {
  const { setTimeout, setImmediate, setInterval } = real ?? ({} as TimerPromises);
  const timers = {
    setTimeout: inRun(find, setTimeout, (clock, ms?: unknown, value?: unknown, options?: WaitOptions) =>
      wait(clock, delayOf(ms), value, options),
    ),
    setImmediate: inRun(find, setImmediate, (clock, value?: unknown, options?: WaitOptions) =>
      wait(clock, 0, value, options),
    ),
    setInterval: inRun(find, setInterval, (clock, ms?: unknown, value?: unknown, options?: WaitOptions) =>
      every(clock, delayOf(ms), value, options),
    ),
  };
  const scheduler = {
    wait: (ms: number, options?: WaitOptions) => timers.setTimeout(ms, undefined, options),
    yield: () => timers.setImmediate(),
  };
  return { timers, scheduler };
}

function wait(clock: LifeClock, ms: number, value?: unknown, { signal }: WaitOptions = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clock.cancel(timer);
      reject(abortError(signal));
    };
    const timer = clock.after(ms, () => {
      signal?.removeEventListener("abort", abort);
      resolve(value);
    });
    if (signal?.aborted) abort();
    else signal?.addEventListener("abort", abort);
  });
}

async function* every(clock: LifeClock, ms: number, value?: unknown, options?: WaitOptions) {
  for (;;) yield await wait(clock, ms, value, options);
}

/** As Node's own. */
function abortError(signal: AbortSignal | undefined): Error {
  const error = new Error("The operation was aborted", { cause: signal?.reason });
  return Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

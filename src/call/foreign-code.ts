import type { Clock } from "./clock.ts";

/** Runs foreign code, and holds a test's clock, if it is one, until the promise settles, or the signal is aborted. */
export function runHeld<Value>(
  clock: Clock,
  what: string,
  run: () => Value | Promise<Value>,
  signal?: AbortSignal,
): Promise<Value> {
  if (!clock.hold) return Promise.resolve(run());
  return new Promise((resolve, reject) => {
    const release = clock.hold?.(what, reject);
    const leave = () => release?.(true);
    signal?.addEventListener("abort", leave);
    const running = new Promise<Value>((start) => start(run())).finally(() => {
      signal?.removeEventListener("abort", leave);
      release?.();
    });
    running.then(resolve, reject);
  });
}

/** Calls an application's observer. An error or a rejected promise of an observer must not change what it observes. */
export function notify<Value>(observe: (value: Value) => unknown, value: Value): void {
  try {
    const returned = observe(value);
    if (returned) Promise.resolve(returned).catch(() => {});
  } catch {
    // Ignored, as documented for each observer.
  }
}

import type { Clock } from "./clock.ts";

/** The lifetime of one call, passed to each of its steps. */
export interface Scope {
  /** Aborted when the call is stopped. Passed to `fetch` in `init`, because a Request would hold it only weakly. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** The time left, in milliseconds. */
  remainingMs(): number;
  /** Set by a step that holds a resource which the signal does not release, such as the reader of a body. */
  onStop?: (() => void) | undefined;
}

/** Like the method of the signal, which jsdom 20 (used by Jest 29) does not have. */
export function throwIfAborted(signal: AbortSignal | null | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

/** Waits; rejects if the call is stopped first. */
export function sleep(ms: number, scope: Scope): Promise<void> {
  return new Promise((resolve, reject) => {
    // An observer of the attempt may have ended the call; an aborted signal does not call back.
    throwIfAborted(scope.signal);
    const leave = () => {
      scope.clock.cancel(timer);
      reject(scope.signal.reason);
    };
    const timer = scope.clock.after(ms, () => {
      scope.signal.removeEventListener("abort", leave);
      resolve();
    });
    scope.signal.addEventListener("abort", leave);
  });
}

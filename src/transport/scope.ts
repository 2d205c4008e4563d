import type { Clock } from "./clock.ts";

/** The time that one call may take, handed to each of its steps. */
export interface Scope {
  /** Aborted when the call is over from outside. Fetch gets it in its `init`; a Request would hold it only weakly. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  remainingMs(): number;
  /** Set by a step that holds something which a signal does not free, such as a body's reader. */
  onStop?: (() => void) | undefined;
}

/** Waits, and rejects when the call is over before that. */
export function sleep(ms: number, scope: Scope, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    // Whoever hears of an attempt may have ended the call by now, and an aborted signal does not call back.
    scope.signal.throwIfAborted();
    const leave = () => {
      clock.cancel(timer);
      reject(scope.signal.reason);
    };
    const timer = clock.after(ms, () => {
      scope.signal.removeEventListener("abort", leave);
      resolve();
    });
    scope.signal.addEventListener("abort", leave);
  });
}

import { onAbort } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** What ended a call from outside. */
export interface Stopped {
  readonly type: "timeout" | "aborted";
}

const TIMEOUT: Stopped = { type: "timeout" };
const ABORTED: Stopped = { type: "aborted" };

/** The time that one call may take, handed to each of its steps. */
export interface Scope {
  /** Aborted when the call is over from outside. Fetch gets it in its `init`; a Request would hold it only weakly. */
  readonly signal: AbortSignal;
  /** Milliseconds that are left. */
  readonly remainingMs: () => number;
  /** Set by a step that holds something which a signal does not free, such as a body's reader. */
  onStop?: (() => void) | undefined;
}

/**
 * Runs one call under its deadline and the caller's signal.
 *
 * The promise settles by itself when either strikes, whatever the call still waits for: `fetch`, a body or a token
 * provider may never settle. `onStop` is called at that moment.
 */
export function withDeadline<T>(
  limits: { readonly timeoutMs: number; readonly signal: AbortSignal | undefined; readonly clock: Clock },
  run: (scope: Scope) => Promise<T>,
  onStop: (stopped: Stopped["type"]) => void,
): Promise<T | Stopped> {
  const { timeoutMs, signal, clock } = limits;
  // A getter of the plant may have aborted it by now, and an aborted signal does not call back.
  if (signal?.aborted) return Promise.resolve(ABORTED);
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const endsAt = clock.now() + timeoutMs;
    const scope: Scope = { signal: controller.signal, remainingMs: () => endsAt - clock.now() };

    const stop = (stopped: Stopped, reason: unknown) => {
      release();
      onStop(stopped.type);
      resolve(stopped);
      controller.abort(reason);
      scope.onStop?.();
    };
    const cancelTimer = clock.after(timeoutMs, () => stop(TIMEOUT, timeoutReason()));
    const stopListening = signal && onAbort(signal, () => stop(ABORTED, signal.reason));
    const release = () => {
      cancelTimer();
      stopListening?.();
    };

    run(scope).then(
      (value) => {
        release();
        resolve(value);
      },
      (error) => {
        release();
        reject(error);
      },
    );
  });
}

/** What fetch and the token provider see as the reason; the call itself has an error of its own. */
function timeoutReason(): DOMException {
  return new DOMException("The deadline of the call passed", "TimeoutError");
}

/** Waits, and rejects when the call is over before that. */
export function sleep(ms: number, scope: Scope, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    // Whoever hears of an attempt may have ended the call by now, and an aborted signal does not call back.
    scope.signal.throwIfAborted();
    const leave = () => {
      cancel();
      reject(scope.signal.reason);
    };
    const cancel = clock.after(ms, () => {
      scope.signal.removeEventListener("abort", leave);
      resolve();
    });
    scope.signal.addEventListener("abort", leave);
  });
}

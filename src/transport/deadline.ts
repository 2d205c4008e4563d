import { onAbort } from "./abort.ts";
import type { Call } from "./call.ts";
import { ABORTED, type Stopped } from "./result.ts";
import type { Scope } from "./scope.ts";

const TIMEOUT: Stopped = { type: "timeout" };

/**
 * Runs one call under its deadline and the caller's signal.
 *
 * The promise settles by itself when either strikes, whatever the call still waits for: `fetch`, a body or a token
 * provider may never settle.
 */
export function withDeadline<T>(
  { settings, log, clock }: Call<unknown>,
  run: (scope: Scope) => Promise<T>,
): Promise<T | Stopped> {
  const { timeoutMs, signal } = settings;
  // A getter of the plant may have aborted it by now, and an aborted signal does not call back.
  if (signal?.aborted) return Promise.resolve(ABORTED);
  return new Promise((resolve, reject) => {
    const controller = new AbortController();
    const endsAt = clock.now() + timeoutMs;
    const scope: Scope = { signal: controller.signal, remainingMs: () => endsAt - clock.now() };

    const stop = (stopped: Stopped, reason: unknown) => {
      release();
      log.stop(stopped.type);
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

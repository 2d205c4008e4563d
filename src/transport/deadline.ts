import { abortReason, isAborted, onAbort, stopError } from "./abort.ts";
import type { Call } from "./call.ts";
import type { Clock, Timer } from "./clock.ts";
import { ABORTED, type Stopped } from "./result.ts";
import type { Scope } from "./scope.ts";

const TIMEOUT: Stopped = { type: "timeout" };

/** A deadline whose timer is later than this was held up: the machine was asleep, or the process stopped or busy. */
const HELD_UP_MS = 50;

/**
 * The deadline and the caller's signal of one call.
 *
 * Either ends the call at once, even if `fetch`, a body or a token provider never settles.
 */
export class Deadline<Output> implements Scope {
  onStop: (() => void) | undefined;
  readonly clock: Clock;
  readonly #call: Call<Output>;
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  #timer: Timer;
  readonly #stopListening: (() => void) | undefined;
  #resolve: ((stopped: Stopped) => void) | undefined;

  constructor(call: Call<Output>) {
    const { timeoutMs, signal } = call.settings;
    this.#call = call;
    this.clock = call.clock;
    this.#endsAt = this.clock.now() + timeoutMs;
    this.#timer = this.clock.after(timeoutMs, () => this.#expire());
    this.#stopListening = signal && onAbort(signal, () => this.#stop(ABORTED, abortReason(signal)));
  }

  /** Runs the call until it ends or is stopped. */
  run<T>(run: (call: Call<Output>, scope: Scope) => Promise<T>): Promise<T | Stopped> {
    // A getter of the plant may have aborted the signal before this listened to it.
    if (isAborted(this.#call.settings.signal)) return Promise.resolve(ABORTED);
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      run(this.#call, this).then(resolve, reject);
    });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  remainingMs(): number {
    return this.#endsAt - this.clock.now();
  }

  /**
   * After the end of the call, clears the timer, removes the listener, and lets go of the result: until its stack is read,
   * an error keeps the functions of the stack in memory, and with them this object.
   */
  release(): void {
    this.clock.cancel(this.#timer);
    this.#stopListening?.();
    this.#resolve = undefined;
  }

  #expire(): void {
    // The reason is for `fetch` and the token provider; the call itself fails with its own error.
    const stop = () => this.#stop(TIMEOUT, stopError("TimeoutError", "The deadline of the call passed"));
    // What arrived meanwhile is read first.
    if (this.remainingMs() < -HELD_UP_MS) this.#timer = this.clock.after(0, stop);
    else stop();
  }

  #stop(stopped: Stopped, reason: unknown): void {
    const resolve = this.#resolve;
    this.release();
    this.#call.log.stop(stopped.type);
    resolve?.(stopped);
    this.#controller.abort(reason);
    this.onStop?.();
  }
}

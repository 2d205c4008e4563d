import { abortReason, onAbort, stopError } from "./abort.ts";
import type { Clock, Timer } from "./clock.ts";

/** Why a call was stopped: its deadline passed, or the caller's signal was aborted. */
type StopReason = "timeout" | "aborted";

/** The call was stopped from outside. */
export interface Stopped {
  readonly kind: StopReason;
}

/** What is told of a stop. */
interface Stoppable {
  stop(reason: StopReason): void;
}

/** A deadline whose timer is later than this was held up: the machine was asleep, or the process stopped or busy. */
const HELD_UP_MS = 50;

/**
 * The deadline and the caller's signal of one call.
 *
 * Either ends the call at once, even if `fetch`, a body or a token provider never settles.
 */
export class Deadline {
  readonly clock: Clock;
  /** Set by a step that holds a resource which the signal does not release, such as the reader of a body. */
  onStop: (() => void) | undefined;
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #log: Stoppable;
  readonly #stopListening: (() => void) | undefined;
  #timer: Timer;
  #resolve: ((stopped: Stopped) => void) | undefined;

  /** @param log - Told at once if the call is stopped. */
  constructor(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined, log: Stoppable) {
    this.clock = clock;
    this.#log = log;
    this.#endsAt = clock.now() + timeoutMs;
    this.#timer = clock.after(timeoutMs, () => this.#expire());
    this.#stopListening = caller && onAbort(caller, () => this.#stop("aborted", abortReason(caller)));
  }

  /** Runs the steps of a call until they end or the call is stopped. */
  run<Call, Result>(steps: (call: Call, deadline: Deadline) => Promise<Result>, call: Call): Promise<Result | Stopped> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      steps(call, this).then(resolve, reject);
    });
  }

  /** Aborted when the call is stopped. Passed to `fetch` in `init`, because a Request would hold it only weakly. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time left, in milliseconds. */
  remainingMs(): number {
    return this.#endsAt - this.clock.now();
  }

  /** Throws if the call was stopped. Not the method of the signal, which jsdom 20 (used by Jest 29) does not have. */
  throwIfStopped(): void {
    if (this.signal.aborted) throw abortReason(this.signal);
  }

  /** Waits; rejects if the call is stopped first. */
  sleep(ms: number): Promise<void> {
    return new Promise((resolve, reject) => {
      // An observer of the attempt may have ended the call; an aborted signal does not call back.
      this.throwIfStopped();
      const leave = () => {
        this.clock.cancel(timer);
        reject(abortReason(this.signal));
      };
      const timer = this.clock.after(ms, () => {
        this.signal.removeEventListener("abort", leave);
        resolve();
      });
      this.signal.addEventListener("abort", leave);
    });
  }

  /**
   * Waits for something that takes time. If the deadline has passed since, its timer runs before the next step: the machine
   * may have been asleep, or the process busy, and Chromium may run that timer after one that was set later.
   */
  async wait<Value>(pending: Value | Promise<Value>): Promise<Value> {
    const value = await pending;
    while (this.remainingMs() <= 0) await this.sleep(10);
    return value;
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
    const stop = () => this.#stop("timeout", stopError("TimeoutError", "The deadline of the call passed"));
    // What arrived meanwhile is read first.
    if (this.remainingMs() < -HELD_UP_MS) this.#timer = this.clock.after(0, stop);
    else stop();
  }

  #stop(reason: StopReason, error: unknown): void {
    const resolve = this.#resolve;
    this.release();
    this.#log.stop(reason);
    resolve?.({ kind: reason });
    this.#controller.abort(error);
    this.onStop?.();
  }
}

import { abortReason, onAbort, stopError } from "./abort.ts";
import type { Clock } from "./clock.ts";

/** Why a call was stopped: its deadline passed, or the caller's signal was aborted. */
export type StopReason = "timeout" | "aborted";

/** A deadline whose timer is later than this was held up: the machine was asleep, or the process stopped or busy. */
const HELD_UP_MS = 50;

/**
 * The deadline and the caller's signal of one call.
 *
 * Either ends the call at once, even if `fetch`, a body or a token provider never settles.
 */
export class Deadline {
  readonly clock: Clock;
  /** Set when the call is stopped. */
  stopped: StopReason | undefined;
  /** The request of the current attempt, which is told at once if the call is stopped. */
  request: { stop(reason: StopReason): void } | undefined;
  readonly #controller = new AbortController();
  readonly #endsAt: number;
  readonly #stopListening: (() => void) | undefined;
  #timer: unknown;
  /** The timer of the last wait before an attempt. */
  #pause: unknown;
  /** The reason of the stop, as the signal has it. */
  #reason: unknown;
  /** Ends the current wait. */
  #interrupt: ((reason: unknown) => void) | undefined;

  constructor(clock: Clock, timeoutMs: number, caller: AbortSignal | undefined) {
    this.clock = clock;
    this.#endsAt = clock.now() + timeoutMs;
    this.#timer = clock.after(timeoutMs, () => this.#expire());
    this.#stopListening = caller && onAbort(caller, () => this.#stop("aborted", abortReason(caller)));
  }

  /** Aborted when the call is stopped. Passed to `fetch` in `init`, because a Request would hold it only weakly. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The time left, in milliseconds. */
  remainingMs(): number {
    return this.#endsAt - this.clock.now();
  }

  /**
   * Whether no other step may begin: the call was stopped, or its deadline has passed. The machine may have been asleep, or
   * the process busy, and Chromium may run the deadline's timer after one that was set later.
   */
  get isOver(): boolean {
    return this.stopped !== undefined || this.remainingMs() <= 0;
  }

  /** Waits for a step of the call. Rejects when the call is stopped, even if the step never settles. */
  wait<Value>(step: Value | Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      if (this.stopped) reject(this.#reason);
      this.#interrupt = reject;
      Promise.resolve(step).then(resolve, reject);
    });
  }

  /** Waits for the stop of a call that is over. */
  end(): Promise<never> {
    return this.wait(new Promise<never>(() => {}));
  }

  /** Waits before the next attempt. */
  sleep(ms: number): Promise<void> {
    return this.wait(
      new Promise((resolve) => {
        this.#pause = this.clock.after(ms, resolve);
      }),
    );
  }

  /** Throws the reason if the call was stopped. */
  throwIfStopped(): void {
    if (this.stopped) throw this.#reason;
  }

  /**
   * After the end of the call, clears the timer, removes the listener, and lets go of the step: until its stack is read, an
   * error keeps the functions of the stack in memory, and with them this object.
   */
  release(): void {
    this.clock.cancel(this.#timer);
    this.#stopListening?.();
    this.#interrupt = undefined;
    this.request = undefined;
  }

  #expire(): void {
    // The reason is for `fetch` and the token provider; the call itself fails with its own error.
    const stop = () => this.#stop("timeout", stopError("TimeoutError", "The deadline of the call passed"));
    // What arrived meanwhile is read first.
    if (this.remainingMs() < -HELD_UP_MS) this.#timer = this.clock.after(0, stop);
    else stop();
  }

  #stop(stopped: StopReason, reason: unknown): void {
    this.stopped = stopped;
    this.#reason = reason;
    const interrupt = this.#interrupt;
    // Before the signal is aborted, because then nobody can tell any more whether the request was sent.
    this.request?.stop(stopped);
    this.release();
    if (this.#pause !== undefined) this.clock.cancel(this.#pause);
    interrupt?.(reason);
    this.#controller.abort(reason);
  }
}

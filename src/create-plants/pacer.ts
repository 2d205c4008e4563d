import type { Verdict } from "./judgement.ts";
import { Rate } from "./rate.ts";

/** A multiplicative decrease, and what is needed to undo it. */
interface Decrease {
  /** The number of the refused request. */
  readonly refused: number;
  /** The last request that was not delayed by the decrease, and so shows whether the refusal was spurious. */
  readonly lastPeer: number;
  /** How many requests from the refused one to that one have yet to be admitted. */
  missing: number;
  /** The window before, if that was decreased and not the rate. */
  readonly window?: number;
}

const FIRST_WINDOW = 4;
/** The increase of the window for each admitted request: a fifth in a round trip. */
const WINDOW_INCREASE = 0.2;
const WINDOW_DECREASE = 0.7;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
/** If each probe of an outage may leave a plant of which nobody knows whether it exists. */
const MAX_BACKOFF_IN_DOUBT_MS = 30_000;

/**
 * The range of a pause, as a share of it, so that processes do not resume at the same moment. That after a refusal is wider,
 * because a bucket without Retry-After may be refilled in step with it; in an outage, the last pause would become too long.
 */
const JITTER = 1;
const JITTER_OF_OUTAGE = 0.5;

/** The circuit breaker opens at so many failures, less this much for each plant that is admitted meanwhile. */
const FAILURES_OF_OUTAGE = 4;
const RELIEF = 0.2;

/** If so many requests after a refused one, at the same pace, are admitted, the refusal was spurious: not for our pace. */
const ADMITTED_IF_SPURIOUS = 4;
/** No rate is measured at the start from fewer requests. */
const LEAST_MEASURED = 4;

/**
 * Decides when the next request may start, from the responses so far.
 *
 * Three things hold a request back: the gate, which opens when the latest Retry-After or backoff has passed; the window,
 * which bounds the requests in flight (AIMD, after a slow start); and the pacing rate. A refusal with Retry-After
 * decreases the rate, one without the window, if that is full. If later requests show it to be spurious, the decrease is
 * undone. In an outage a circuit breaker is open: one probe at a time, each failure a backoff, until a plant is admitted.
 * The pacer neither waits nor reads the clock: callers pass `now`, in milliseconds.
 */
export class Pacer {
  /** The active time since which requests have failed or were refused, without life; Infinity if none was. */
  heldUpSince: number = Number.POSITIVE_INFINITY;
  /** How many pauses the outage has made: one when it began, and one for each probe that failed. */
  outagePauses = 0;
  /** The gate: no request may start before this time; in the past if it is open. */
  pausedUntil: number = Number.NEGATIVE_INFINITY;
  /** How often a failure held up the run: those of one flight count once. */
  backoffs = 0;
  readonly #rate = new Rate();
  /** Before the first response it may exceed the concurrency, which the run observes too. */
  #window: number = FIRST_WINDOW;
  /** The window after its last decrease. */
  #slowStartThreshold = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #backoffMs = FIRST_BACKOFF_MS;
  #settledAt = Number.POSITIVE_INFINITY;
  #idleMs = 0;
  #failures = 0;

  /** How many requests have started. The number of each tells what it could know of. */
  #starts = 0;
  /** The last request that started before the run was last held up: however many of those fail, that counts once. */
  #lastBefore = 0;
  #resumedAt = Number.POSITIVE_INFINITY;
  #admitted = 0;
  /** The last decrease, until another refusal confirms it. */
  #decrease: Decrease | undefined;

  constructor(
    private readonly concurrency: number,
    private readonly random: () => number,
  ) {}

  get ratePerSecond(): number | undefined {
    return this.#rate.perSecond;
  }

  /** How many requests may be in flight. */
  get window(): number {
    return Math.floor(this.#window);
  }

  /** The wait of the next request: 0 if it may start now, Infinity if one in flight has to settle first. */
  waitMs(now: number): number {
    if (this.#inFlight >= this.window) return Number.POSITIVE_INFINITY;
    if (now < this.pausedUntil) return Math.max(this.pausedUntil, this.#rate.nextStartAt) - now;
    return this.#rate.waitMs(now);
  }

  /** The time without that in which nothing was held up: there was nothing to send, or the process was suspended. */
  activeTime(now: number): number {
    return now - this.#idleMs;
  }

  /** Called when a request starts, which may have had a pause of its own. Returns its number, for `settled`. */
  started(now: number, pausedUntil: number = Number.NEGATIVE_INFINITY): number {
    const heldUpUntil = Math.max(this.pausedUntil, pausedUntil, this.#settledAt);
    if (this.#inFlight === 0) this.#idleMs += Math.max(0, now - heldUpUntil);
    this.#resumedAt = Math.min(this.#resumedAt, now);
    this.#inFlight++;
    this.#rate.started(now);
    return ++this.#starts;
  }

  /**
   * Called when a request settles, with the judgement's word; `nothing`: it was never sent.
   *
   * @param retryAfterMs - The wait that comes with a refusal, if any.
   * @param mayExist - Whether trouble may have left a plant.
   */
  settled(start: number, now: number, pace: Verdict["pace"], retryAfterMs = 0, mayExist = false): void {
    this.#inFlight--;
    this.#settledAt = now;
    if (pace === "refused" || pace === "trouble") this.#fail(start, now, pace === "refused", retryAfterMs, mayExist);
    else if (pace === "life") this.#admit(start);
    else if (start <= this.#lastBefore) return;
    else if (pace === "no life") this.#admitted++;
    // A refusal in the meantime would already have rescheduled the next request.
    else this.#rate.canceled();
  }

  #admit(start: number): void {
    this.#reconsider(start);
    this.#failures = this.#failures < FAILURES_OF_OUTAGE ? Math.max(0, this.#failures - RELIEF) : 0;
    this.outagePauses = 0;
    this.#backoffMs = FIRST_BACKOFF_MS;
    this.heldUpSince = Number.POSITIVE_INFINITY;
    if (start > this.#lastBefore) this.#admitted++;
    const growth = this.#window < this.#slowStartThreshold ? WINDOW_INCREASE : WINDOW_INCREASE / this.#window;
    this.#window = Math.min(this.concurrency, this.#window + growth);
  }

  /** Undoes a decrease if the service admits enough requests that were on their way with the refused one. */
  #reconsider(start: number): void {
    const decrease = this.#decrease;
    if (!decrease || start < decrease.refused || start > decrease.lastPeer || --decrease.missing > 0) return;
    this.#decrease = undefined;
    if (decrease.window === undefined) this.#rate.undo();
    else {
      this.#window = Math.max(this.#window, decrease.window);
      this.#slowStartThreshold = Number.POSITIVE_INFINITY;
    }
  }

  #fail(start: number, now: number, isRefusal: boolean, retryAfterMs: number, mayExist: boolean): void {
    this.heldUpSince = Math.min(this.heldUpSince, this.activeTime(now));
    if (retryAfterMs > 0) this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
    if (!isRefusal) {
      this.#failures = Math.min(FAILURES_OF_OUTAGE, this.#failures + 1);
      if (this.#failures < FAILURES_OF_OUTAGE) return;
    }
    this.#decrease = undefined;
    if (start <= this.#lastBefore) return;
    this.#lastBefore = this.#starts;
    this.backoffs++;
    if (isRefusal) this.#refuse(start, now, retryAfterMs);
    else {
      // The failure that begins an outage, or a probe.
      this.#window = 1;
      this.outagePauses++;
      this.#backOff(now, mayExist ? MAX_BACKOFF_IN_DOUBT_MS : MAX_BACKOFF_MS, JITTER_OF_OUTAGE);
    }
    this.#admitted = 0;
    this.#resumedAt = Math.max(this.pausedUntil, now);
  }

  #refuse(refused: number, now: number, retryAfterMs: number): void {
    const admitted = this.#admitted;
    if (admitted < (this.backoffs === 1 ? LEAST_MEASURED : 1)) {
      // Nothing is admitted at present, or too little to measure: send one request at a time until that changes.
      this.#window = 1;
      if (admitted === 0) this.#backOff(now, MAX_BACKOFF_MS, JITTER);
    } else if (retryAfterMs === 0 && this.window > 1 && this.#inFlight + 1 >= this.window) {
      this.#decrease = { refused, lastPeer: this.#starts, missing: ADMITTED_IF_SPURIOUS, window: this.#window };
      this.#slowStartThreshold = this.#window *= WINDOW_DECREASE;
    } else {
      const resumesAt = Math.max(now, this.pausedUntil);
      const pauseMs = resumesAt - now;
      // After a pause, later requests may be admitted only because of what a bucket has saved up.
      const lastPeer = pauseMs > 0 ? this.#starts : Number.POSITIVE_INFINITY;
      this.#decrease = { refused, lastPeer, missing: Math.max(ADMITTED_IF_SPURIOUS, this.#inFlight / 2) };
      this.#rate.decrease({ admitted, activeMs: now - this.#resumedAt, pauseMs, resumesAt }, this.random());
    }
  }

  /** A pause that the service did not ask for, longer each time until a request is admitted. */
  #backOff(now: number, maxPauseMs: number, jitter: number): void {
    this.#backoffMs = Math.min(maxPauseMs, this.#backoffMs);
    const pauseMs = this.#backoffMs * (1 + jitter * (this.random() - 0.5));
    this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
    this.#backoffMs *= 2;
  }
}

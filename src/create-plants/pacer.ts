import { Rate } from "./rate.ts";

/** A failure that holds up every request. */
export interface Setback {
  /** The service refused the caller for its pace. Otherwise it is out of reach, or in trouble. */
  readonly isRefusal: boolean;
  /** Whether the plant is lost to this run: it may exist, so it cannot be sent again. */
  readonly isFinal?: boolean;
  /** The wait that the service asks for, if any. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * What the end of a request means for the pace: admitted; answered, as for any other plant, by a service or a gateway; held
 * up; sent without a meaning; or never sent.
 */
export type Answer = "admitted" | "answered" | Setback | "unanswered" | "unsent";

/** A decrease of the window, and what it was before. */
interface Decrease {
  /** The number of the refused request. */
  readonly refused: number;
  readonly lastBefore: number;
  readonly window: number;
  /** How many requests with a higher number were admitted. */
  admittedLater: number;
}

const FIRST_WINDOW = 4;
/** The growth of the window for each admitted request: a fifth in a round trip. */
const WINDOW_GROWTH = 0.2;
const WINDOW_SHRINK = 0.7;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;
/** If each probe of an outage may leave a plant of which nobody knows whether it exists. */
const MAX_PAUSE_OF_FINAL_MS = 30_000;

/**
 * The range of a pause, as a share of it, so that processes do not resume at the same moment. That after a refusal is wider,
 * because a bucket without Retry-After may be refilled in step with it; in an outage, the last pause would become too long.
 */
const JITTER = 1;
const JITTER_OF_OUTAGE = 0.5;

/** So many troubles are an outage, less this much for each plant that is admitted meanwhile. */
const OUTAGE = 4;
const RELIEF = 0.2;
/** If so many requests that started after a refused one, at the same pace, are admitted, the refusal was noise. */
const NOISE = 4;

/**
 * Decides when the next request may start, from the responses so far.
 *
 * Three things hold a request back: the gate, which opens when the latest Retry-After or pause has passed; the window,
 * which bounds the requests in flight; and the rate. A refusal with Retry-After lowers the rate, one without the window.
 * In an outage the window is 1, and each failure a pause: one probe at a time, until a plant is admitted.
 * The pacer neither waits nor reads the clock: callers pass `now`, in milliseconds.
 */
export class Pacer {
  /** The time since which no request has been admitted; Infinity if the last one was. */
  heldUpSince: number = Number.POSITIVE_INFINITY;
  /** How many requests were admitted. */
  admissions = 0;
  /** How many pauses outages have made: one when each began, and one for each probe that failed. */
  outagePauses = 0;
  /** Whether the service has ever admitted or refused a plant, so that the configuration is right. */
  isProven = false;
  /** The gate: no request may start before this time; in the past if it is open. */
  pausedUntil: number = Number.NEGATIVE_INFINITY;
  /** How often the run was held up. */
  setbacks = 0;
  readonly #concurrency: number;
  readonly #random: () => number;
  readonly #rate = new Rate();
  /** Before the first response it may exceed the concurrency, which the run observes too. */
  #window: number = FIRST_WINDOW;
  /** The window after its last decrease. Below this, it grows fast. */
  #threshold = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #settledAt = Number.NEGATIVE_INFINITY;
  #troubles = 0;

  /** How many requests have started. The number of each tells what it could know of. */
  #starts = 0;
  /** The last request that started before the last setback: however many of those fail, that is one setback. */
  #lastBefore = 0;
  #resumedAt = Number.POSITIVE_INFINITY;
  #admitted = 0;
  /** What the last decrease of the window changed, until another refusal confirms it. */
  #decrease: Decrease | undefined;

  constructor(concurrency: number, random: () => number) {
    this.#concurrency = concurrency;
    this.#random = random;
  }

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
    return Math.max(0, this.pausedUntil - now, this.#rate.nextStartAt - now);
  }

  /** Called when a request starts. Returns its number, for `settled`. */
  started(now: number): number {
    // Nothing was held up while there was nothing to send.
    if (this.#inFlight === 0) this.heldUpSince += Math.max(0, now - Math.max(this.pausedUntil, this.#settledAt));
    this.#resumedAt = Math.min(this.#resumedAt, now);
    this.#inFlight++;
    this.#rate.started(now);
    return ++this.#starts;
  }

  settled(start: number, now: number, answer: Answer): void {
    this.#inFlight--;
    this.#settledAt = now;
    if (answer === "admitted") this.#troubles = this.#troubles < OUTAGE ? Math.max(0, this.#troubles - RELIEF) : 0;
    if (typeof answer === "object") this.#holdUp(start, now, answer);
    else if (answer === "admitted" || answer === "answered") this.#admit(start);
    // A refusal in the meantime has already rescheduled the next request.
    else if (answer === "unsent" && start > this.#lastBefore) this.#rate.canceled();
  }

  #admit(start: number): void {
    this.#reconsider(start);
    this.admissions++;
    this.isProven = true;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.heldUpSince = Number.POSITIVE_INFINITY;
    if (start > this.#lastBefore) this.#admitted++;
    const growth = this.#window < this.#threshold ? WINDOW_GROWTH : WINDOW_GROWTH / this.#window;
    this.#window = Math.min(this.#concurrency, this.#window + growth);
  }

  /** Takes a decrease of the window back if the service admits enough requests that were on their way with the refused one. */
  #reconsider(start: number): void {
    const decrease = this.#decrease;
    if (!decrease || start < decrease.refused || start > this.#lastBefore || ++decrease.admittedLater < NOISE) return;
    this.#decrease = undefined;
    this.#lastBefore = decrease.lastBefore;
    this.#window = Math.max(this.#window, decrease.window);
    this.#threshold = Number.POSITIVE_INFINITY;
  }

  #holdUp(start: number, now: number, setback: Setback): void {
    const { retryAfterMs } = setback;
    this.heldUpSince = Math.min(this.heldUpSince, now);
    if (retryAfterMs !== undefined) this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
    if (!setback.isRefusal) {
      this.#troubles = Math.min(OUTAGE, this.#troubles + 1);
      if (this.#troubles < OUTAGE) return;
    }
    this.isProven ||= setback.isRefusal;
    this.#decrease = undefined;
    const lastBefore = this.#lastBefore;
    if (start <= lastBefore) return;
    this.#lastBefore = this.#starts;
    this.setbacks++;
    if (setback.isRefusal) this.#refuse(start, lastBefore, now, retryAfterMs);
    else {
      // The failure that begins an outage, or a probe.
      this.#window = 1;
      this.outagePauses++;
      this.#pause(now, setback.isFinal ? MAX_PAUSE_OF_FINAL_MS : MAX_PAUSE_MS, JITTER_OF_OUTAGE);
    }
    this.#admitted = 0;
    this.#resumedAt = Math.max(this.pausedUntil, now);
  }

  #refuse(refused: number, lastBefore: number, now: number, retryAfterMs: number | undefined): void {
    const admitted = this.#admitted;
    if (admitted === 0) {
      // Nothing is admitted at present: send one request at a time until that changes.
      this.#window = 1;
      this.#pause(now, MAX_PAUSE_MS, JITTER);
    } else if (!retryAfterMs && this.window > 1 && this.#inFlight + 1 >= this.window) {
      this.#decrease = { refused, lastBefore, window: this.#window, admittedLater: 0 };
      this.#threshold = this.#window *= WINDOW_SHRINK;
    } else {
      if (retryAfterMs === undefined) this.#pause(now, MAX_PAUSE_MS, JITTER);
      const pauseMs = this.pausedUntil - now;
      this.#rate.lower(
        { admitted, activeMs: now - this.#resumedAt, pauseMs, resumesAt: this.pausedUntil },
        this.#random(),
      );
    }
  }

  /** A pause that the service did not ask for, longer each time until a request is admitted. */
  #pause(now: number, maxPauseMs: number, jitter: number): void {
    this.#pauseMs = Math.min(maxPauseMs, this.#pauseMs);
    const pauseMs = this.#pauseMs * (1 + jitter * (this.#random() - 0.5));
    this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
    this.#pauseMs *= 2;
  }
}

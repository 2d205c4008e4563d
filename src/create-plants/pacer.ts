import { Rate } from "./rate.ts";

/** A failure that holds up every request. */
export interface Setback {
  /** The service refused the caller for its pace. Otherwise it is out of reach, or in trouble. */
  readonly isRefusal: boolean;
  /** The wait that the service asks for, if any. */
  readonly retryAfterMs?: number | undefined;
}

/** What the end of a request means for the pace: admitted, held up, sent without a response, or never sent. */
export type Answer = "admitted" | Setback | "unanswered" | "unsent";

const FIRST_WINDOW = 4;
/** The growth of the window for each admitted request: a fifth in a round trip. */
const WINDOW_GROWTH = 0.2;
const WINDOW_SHRINK = 0.7;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 8_000;

/**
 * Decides when the next request may start, from the responses so far.
 *
 * Three things hold a request back: the gate, which opens when the latest Retry-After or pause has passed; the window,
 * which bounds the requests in flight; and the rate. A refusal with Retry-After lowers the rate, one without the window.
 * The pacer neither waits nor reads the clock: callers pass `now`, in milliseconds.
 */
export class Pacer {
  /** The time since which no request has been admitted; Infinity if the last one was. */
  heldUpSince: number = Number.POSITIVE_INFINITY;
  readonly #concurrency: number;
  readonly #random: () => number;
  readonly #rate = new Rate();
  /** Before the first response it may exceed the concurrency, which the run observes too. */
  #window: number = FIRST_WINDOW;
  /** The window after its last decrease. Below this, it grows fast. */
  #threshold = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #gate = Number.NEGATIVE_INFINITY;
  #pauseMs = FIRST_PAUSE_MS;

  /** Requests that are in flight together share a generation: however many of them are refused, that is one decrease. */
  #generation = 0;
  #resumedAt = Number.POSITIVE_INFINITY;
  #admitted = 0;

  constructor(concurrency: number, random: () => number) {
    this.#concurrency = concurrency;
    this.#random = random;
  }

  /** The time before which no request may start; in the past if the gate is open. */
  get pausedUntil(): number {
    return this.#gate;
  }

  get ratePerSecond(): number | undefined {
    return this.#rate.perSecond;
  }

  /** How often the run was held up. */
  get setbacks(): number {
    return this.#generation;
  }

  /** How many requests may be in flight. */
  get window(): number {
    return Math.floor(this.#window);
  }

  /** The wait of the next request: 0 if it may start now, Infinity if one in flight has to settle first. */
  waitMs(now: number): number {
    if (this.#inFlight >= this.window) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#gate - now, this.#rate.nextStartAt - now);
  }

  /** Called when a request starts. Returns its generation, for `settled`. */
  started(now: number): number {
    this.#resumedAt = Math.min(this.#resumedAt, now);
    this.#inFlight++;
    this.#rate.started(now);
    return this.#generation;
  }

  settled(generation: number, now: number, answer: Answer): void {
    this.#inFlight--;
    if (answer === "admitted") this.#admit(generation);
    else if (answer === "unsent") this.#cancel(generation);
    else if (answer !== "unanswered") this.#holdUp(generation, now, answer);
  }

  #admit(generation: number): void {
    this.#pauseMs = FIRST_PAUSE_MS;
    this.heldUpSince = Number.POSITIVE_INFINITY;
    if (generation === this.#generation) this.#admitted++;
    const growth = this.#window < this.#threshold ? WINDOW_GROWTH : WINDOW_GROWTH / this.#window;
    this.#window = Math.min(this.#concurrency, this.#window + growth);
  }

  #cancel(generation: number): void {
    // A refusal in the meantime has already rescheduled the next request.
    if (generation === this.#generation) this.#rate.canceled();
  }

  #holdUp(generation: number, now: number, { isRefusal, retryAfterMs }: Setback): void {
    this.heldUpSince = Math.min(this.heldUpSince, now);
    if (retryAfterMs !== undefined) this.#gate = Math.max(this.#gate, now + retryAfterMs);
    if (generation < this.#generation) return;
    this.#generation++;
    if (isRefusal) this.#refuse(now, retryAfterMs);
    else this.#pause(now);
    this.#admitted = 0;
    this.#resumedAt = Math.max(this.#gate, now);
  }

  #refuse(now: number, retryAfterMs: number | undefined): void {
    const admitted = this.#admitted;
    if (admitted === 0) {
      // Nothing is admitted at present: send one request at a time until that changes.
      this.#window = 1;
      this.#pause(now);
    } else if (retryAfterMs === undefined && this.window > 1 && this.#inFlight + 1 >= this.window) {
      this.#threshold = this.#window *= WINDOW_SHRINK;
    } else {
      if (retryAfterMs === undefined) this.#pause(now);
      const pauseMs = this.#gate - now;
      this.#rate.lower({ admitted, activeMs: now - this.#resumedAt, pauseMs, resumesAt: this.#gate }, this.#random());
    }
  }

  /** A pause that the service did not ask for, longer each time until a request is admitted. */
  #pause(now: number): void {
    const pauseMs = this.#pauseMs * (0.5 + this.#random());
    this.#gate = Math.max(this.#gate, now + pauseMs);
    this.#pauseMs = Math.min(MAX_PAUSE_MS, this.#pauseMs * 2);
  }
}

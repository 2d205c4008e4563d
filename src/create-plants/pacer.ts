import type { Verdict } from "./judgement.ts";
import { Rate, ROUGH_GROWTH } from "./rate.ts";

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

/** So many of a kind are evidence; fewer may be chance. */
const EVIDENCE = 4;
/** What the window is multiplied by. */
const WINDOW_DECREASE = 0.7;
const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8_000;
const MAX_BACKOFF_IN_DOUBT_MS = 30_000;
/** The range of a pause, as a share of it. In an outage it is smaller, or the last pause would become too long. */
const JITTER = 1;
const JITTER_OF_OUTAGE = 0.5;
/** How much of a failure one life makes up for. */
export const RELIEF = 0.2;

/**
 * Decides when the next request may start, from the responses so far. It neither waits nor reads the clock.
 *
 * 1. Three things hold a request back: the gate, until the latest Retry-After or backoff has passed; the window, which
 *    bounds the requests in flight; and the rate, at which they start: a late timer is made up for by one request, or those
 *    of CATCH_UP_MS.
 * 2. As long as nothing is refused there is no rate, and the window, EVIDENCE at first, grows by ROUGH_GROWTH in a round trip.
 * 3. A refusal without Retry-After that meets a full window multiplies it by WINDOW_DECREASE, and from there it grows by
 *    ROUGH_GROWTH of one request in a round trip; any other refusal lowers the rate, to a value BETWEEN the least limit
 *    that explains it and the refused rate: MOST_LEFT of that at most, LEAST_LEFT at least, or LEAST_LEFT_OF_DOUBT after a
 *    pause above QUOTA_PAUSE_MS or in the first of several short cycles, and never less than one request in a pause.
 * 4. Without a refusal the rate rises in steps of STEP_MS and STEP_REQUESTS at least, each by APPROACH of the distance to
 *    the ceiling, MOST_LEFT of the refused rate; and after a hold also above it, by FIRST_GROWTH, which doubles up to
 *    MAX_GROWTH; the first time without a hold, by ROUGH_GROWTH.
 * 5. A hold is of HOLD_MS, and doubles up to MAX_HOLD_MS each time that the ratio of two refused rates in a row is above
 *    SAME_LIMIT.
 * 6. A refusal that the pace did not cause costs its pause and little more: if EVIDENCE requests that were on their way
 *    with it are admitted, its decrease is undone; after FUTILE_DECREASES that never reached the ceiling again, all of
 *    them, if FUTILE_REQUESTS were admitted for each of them, in less than FUTILE_MS at the peak.
 * 7. If nothing was admitted since the last pause, or less than EVIDENCE before the first, one request goes out at a time;
 *    if nothing, after pauses from FIRST_BACKOFF_MS that double up to MAX_BACKOFF_MS, with a JITTER, so that processes do
 *    not resume together.
 * 8. EVIDENCE failures, less RELIEF for each life meanwhile, are an outage: until there is life, or refusals of invalid
 *    plants make up for all failures, each failed probe makes such a pause, with JITTER_OF_OUTAGE, up to
 *    MAX_BACKOFF_IN_DOUBT_MS if it may have left a plant.
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
  #window: number = EVIDENCE;
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

  get isOutage(): boolean {
    return this.outagePauses > 0;
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
    else if (pace === "life" || pace === "admitted") this.#admit(start, pace === "life");
    else if (start <= this.#lastBefore) return;
    else if (pace === "no life") this.#admitted++;
    // A refusal in the meantime would already have rescheduled the next request.
    else this.#rate.canceled();
  }

  /** In an outage, `admitted` makes up for a part of a failure: a service that is down may still find plants invalid. */
  #admit(start: number, isLife: boolean): void {
    this.#reconsider(start);
    this.#failures = isLife && this.isOutage ? 0 : Math.max(0, this.#failures - RELIEF);
    if (isLife || this.#failures === 0) {
      this.outagePauses = 0;
      this.#backoffMs = FIRST_BACKOFF_MS;
      this.heldUpSince = Number.POSITIVE_INFINITY;
    }
    if (start > this.#lastBefore) this.#admitted++;
    const growth = this.#window < this.#slowStartThreshold ? ROUGH_GROWTH : ROUGH_GROWTH / this.#window;
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
      this.#failures = Math.min(EVIDENCE, this.#failures + 1);
      if (this.#failures < EVIDENCE) return;
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
    if (admitted < (this.backoffs === 1 ? EVIDENCE : 1)) {
      this.#window = 1;
      if (admitted === 0) this.#backOff(now, MAX_BACKOFF_MS, JITTER);
    } else if (retryAfterMs === 0 && this.window > 1 && this.#inFlight + 1 >= this.window) {
      this.#decrease = { refused, lastPeer: this.#starts, missing: EVIDENCE, window: this.#window };
      this.#slowStartThreshold = this.#window *= WINDOW_DECREASE;
    } else {
      const resumesAt = Math.max(now, this.pausedUntil);
      const pauseMs = resumesAt - now;
      // After a pause, later requests may be admitted only because of what a bucket has saved up.
      const lastPeer = pauseMs > 0 ? this.#starts : Number.POSITIVE_INFINITY;
      this.#decrease = { refused, lastPeer, missing: EVIDENCE };
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

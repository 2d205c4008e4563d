/** Observations between the end of one pause and the refusal that begins the next. */
export interface Cycle {
  /** Requests that were not refused; at least one. */
  readonly admitted: number;
  /** From the end of the last pause to the refusal. */
  readonly activeMs: number;
  /** Duration of the pause that begins now. */
  readonly pauseMs: number;
  /** When it ends. */
  readonly resumesAt: number;
}

/** What a refusal leaves of the refused rate, at least and at most. */
const LEAST_LEFT = 0.5;
const MOST_LEFT = 0.97;
/** A longer pause is that of a quota, which is renewed at its end however slowly it was used up. */
const QUOTA_PAUSE_MS = 3_000;
/** The least that is left after that pause, or a short cycle, which may be chance. */
const LEAST_LEFT_OF_DOUBT = 0.9;
/** Where the new rate lies between the bounds of the limit, on a logarithmic scale. */
const BETWEEN = 0.4;

/** The least that a step lasts. The number of requests is for refusals at random. */
const STEP_MS = 1_000;
const STEP_REQUESTS = 10;
const APPROACH = 0.15;

/** However long a hold becomes, a limit that is raised after hours is found. */
const HOLD_MS = 2_000;
const MAX_HOLD_MS = 64_000;
/** The ratio of two refused rates above which the limit has not changed. */
const SAME_LIMIT = 0.8;
const FIRST_GROWTH = 0.005;
const MAX_GROWTH = 1;
/** The growth of window and rate while little is known of the limit. */
export const ROUGH_GROWTH = 0.2;

/** Timers are up to this late on a busy machine. */
const CATCH_UP_MS = 40;

/** A limit that is exceeded leaves fewer requests to each decrease; one that others use, too, is refused less often. */
const FUTILE_DECREASES = 9;
const FUTILE_REQUESTS = 60;
const FUTILE_MS = 2_000;

/** The rate at which requests start, unlimited until the first refusal. Its rules are told at the head of {@link Pacer}. */
export class Rate {
  /** Undefined while nothing limits it. */
  perSecond: number | undefined;
  /** When the next request may start. */
  nextStartAt: number = Number.NEGATIVE_INFINITY;

  /** The most requests that were admitted at once: the size of a bucket or window. */
  #burst = Number.POSITIVE_INFINITY;
  #refusedRate = 0;
  #ceiling = 0;
  #stepAt = 0;
  #probeAt = 0;
  #holdMs = 0;
  #growth = FIRST_GROWTH;
  /** Whether the rate has held a request back since it was last set. */
  #isHolding = false;
  #wasShort = false;

  /** The last refused rate that was above the ceiling of its time. */
  #peak = 0;
  /** Decreases in a row since then, and the requests. */
  #decreases = 0;
  #requests = 0;

  /** The wait of the next request, asked for only while nothing else holds it back. */
  waitMs(now: number): number {
    const waitMs = Math.max(0, this.nextStartAt - now);
    this.#isHolding ||= waitMs > 0;
    return waitMs;
  }

  started(now: number): void {
    if (this.perSecond === undefined) return;
    this.#requests++;
    // To make up for a longer delay would be a burst, which could be refused.
    const earliest = now - Math.max(1000 / this.perSecond, CATCH_UP_MS);
    // A rate that held nothing back is untested: if it rose, it would grow without limit.
    if (now >= this.#stepAt && this.#isHolding) this.#increase(this.perSecond, now);
    this.nextStartAt = Math.max(this.nextStartAt, earliest) + 1000 / this.perSecond;
  }

  /** The request that started last was not sent after all. */
  canceled(): void {
    if (this.perSecond === undefined) return;
    this.#requests--;
    this.nextStartAt -= 1000 / this.perSecond;
  }

  /** Undoes the last decrease, except for the least: the limit may be just below the refused rate. */
  undo(): void {
    this.perSecond = Math.max(this.perSecond as number, this.#ceiling);
  }

  /** Lowers the rate after a refusal. `random` spreads several processes that wait for the same moment. */
  decrease(cycle: Cycle, random: number): void {
    const seconds = Math.max(1, cycle.activeMs) / 1000;
    this.#burst = Math.min(this.#burst, cycle.admitted);
    // The lowest limit possible: a fixed window's period includes the pause; a token bucket's burst had been saved up.
    const least = Math.max(cycle.admitted / (seconds + cycle.pauseMs / 1000), (cycle.admitted - this.#burst) / seconds);
    const before = this.perSecond ?? Number.POSITIVE_INFINITY;
    const refused = Math.min(before, cycle.admitted / seconds);
    const estimate = Math.min(refused, least ** (1 - BETWEEN) * refused ** BETWEEN);
    this.#growth = this.perSecond === undefined ? ROUGH_GROWTH : FIRST_GROWTH;
    const leastMs = Math.max(STEP_MS, cycle.pauseMs);
    const isShort = cycle.activeMs < leastMs;
    const isInDoubt = cycle.pauseMs > QUOTA_PAUSE_MS || (isShort && !this.#wasShort);
    this.#wasShort = isShort;
    let rate = estimate;
    if (this.perSecond === undefined) this.#ceiling = refused * MOST_LEFT;
    else if (this.#isFutile(this.perSecond)) rate = this.#ceiling = this.#peak;
    else {
      this.#setCeiling(this.perSecond);
      const leastLeft = isInDoubt ? LEAST_LEFT_OF_DOUBT : LEAST_LEFT;
      rate = Math.min(this.#ceiling, Math.max(this.perSecond * leastLeft, estimate));
    }

    // The service admits one request for each pause. A lower rate gains nothing if it refuses at random.
    this.perSecond = Math.max(rate, Math.min(before, 1000 / leastMs));
    this.#stepAt = cycle.resumesAt + STEP_MS;
    this.#probeAt = cycle.resumesAt + this.#holdMs;
    this.nextStartAt = cycle.resumesAt + (random * 1000) / this.perSecond;
  }

  /** Whether lowering the rate changes nothing: then it is not why requests are refused. */
  #isFutile(refused: number): boolean {
    const isPeak = refused > this.#ceiling || this.#peak === 0;
    if (isPeak) this.#peak = refused;
    else if (++this.#decreases < FUTILE_DECREASES) return false;
    const requests = this.#requests / FUTILE_DECREASES;
    this.#decreases = 0;
    this.#requests = 0;
    return !isPeak && requests >= FUTILE_REQUESTS && (requests * 1000) / this.#peak < FUTILE_MS;
  }

  /** Sets the ceiling below a refused rate, and how long the rate stays below it. */
  #setCeiling(refused: number): void {
    const closeness = Math.min(refused, this.#refusedRate) / Math.max(refused, this.#refusedRate);
    this.#holdMs = closeness > SAME_LIMIT ? Math.min(MAX_HOLD_MS, this.#holdMs * 2) : HOLD_MS;
    this.#refusedRate = refused;
    this.#ceiling = refused * MOST_LEFT;
  }

  #increase(rate: number, now: number): void {
    if (now < this.#probeAt) {
      this.perSecond = rate + (this.#ceiling - rate) * APPROACH;
    } else {
      this.perSecond = rate * (1 + this.#growth);
      this.#growth = Math.min(MAX_GROWTH, this.#growth * 2);
    }
    this.#isHolding = false;
    this.#stepAt = now + Math.max(STEP_MS, (STEP_REQUESTS * 1000) / rate);
  }
}

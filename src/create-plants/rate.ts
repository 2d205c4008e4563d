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

/** A refusal lowers the rate to the measured one, within these two shares of the refused rate. */
const LEAST_LEFT = 0.5;
const MOST_LEFT = 0.97;
/**
 * More is left after the first of several short cycles, which may be chance, and if a service asks for a longer pause than
 * this: it has a quota, which is renewed at that time however slowly it was used up.
 */
const LEAST_LEFT_OF_DOUBT = 0.9;
const QUOTA_PAUSE_MS = 3_000;
/**
 * A refusal never lowers the rate below one request per pause, or one per second if the pause is shorter, or none (the row
 * with a Retry-After of 0): the service admits that many. If it refuses at random, a lower rate gains nothing, and every refusal would lower it further.
 */
const LEAST_PAUSE_MS = 1_000;
/** Where between the two bounds of the limit the new rate lies, on a logarithmic scale. */
const BETWEEN = 0.4;

/** Without a refusal the rate rises in steps of at least this duration, and this many requests, for random refusals. */
const STEP_MS = 1_000;
const STEP_REQUESTS = 10;
/** The share of the distance to the ceiling that one step covers. */
const APPROACH = 0.15;

/** How long the rate stays below the ceiling: longer each time, but a limit that is raised after 90 minutes is found. */
const HOLD_MS = 2_000;
const MAX_HOLD_MS = 64_000;
/** How fast it grows then. */
const FIRST_GROWTH = 0.005;
const MAX_GROWTH = 1;
/** After the first refusal the ceiling is unknown: the rate grows without a hold, and faster. */
const ROUGH_GROWTH = 0.2;
/** Timers are up to this late on a busy machine. A delay of this time, or of one request interval, is made up for. */
const CATCH_UP_MS = 40;
/**
 * So many decreases in a row, none of them from above the ceiling, are futile, and undone, if there are at least so many
 * requests for each, but so few that they take at most this time at the peak. A limit that is exceeded refuses more, and
 * one that is hardly reached, such as by one of several processes, refuses seldom.
 */
const FUTILE_DECREASES = 10;
const FUTILE_REQUESTS = 60;
const FUTILE_MS = 2_000;
/** If the ratio of two refused rates is above this, the limit has not changed. */
const SAME_LIMIT = 0.8;

/**
 * The rate at which requests start, unlimited until the first refusal.
 *
 * It looks for the highest rate that is not refused: a refusal lowers it to an estimate of the limit; while nothing is
 * refused, it approaches the ceiling (just below the rate that was refused), and after a while probes above it, in steps
 * that double, because the limit may have changed. Decreases that change nothing are undone.
 */
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
  /** Decreases in a row since then, and the requests before them. */
  #decreases = 0;
  #rowRequests = 0;
  /** Requests since the last decrease. */
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
    const slowest = 1000 / Math.max(LEAST_PAUSE_MS, cycle.pauseMs);
    const isShort = cycle.activeMs < Math.max(LEAST_PAUSE_MS, cycle.pauseMs);
    const isInDoubt = cycle.pauseMs > QUOTA_PAUSE_MS || (isShort && !this.#wasShort);
    this.#wasShort = isShort;
    let rate = estimate;
    if (this.perSecond === undefined) this.#ceiling = refused * MOST_LEFT;
    else if (this.#isFutile(this.perSecond)) rate = this.#ceiling = this.#peak;
    else {
      this.#setCeiling(this.perSecond);
      rate = Math.min(
        this.#ceiling,
        Math.max(this.perSecond * (isInDoubt ? LEAST_LEFT_OF_DOUBT : LEAST_LEFT), estimate),
      );
    }

    this.perSecond = Math.max(rate, Math.min(before, slowest));
    this.#stepAt = cycle.resumesAt + STEP_MS;
    this.#probeAt = cycle.resumesAt + this.#holdMs;
    this.nextStartAt = cycle.resumesAt + (random * 1000) / this.perSecond;
  }

  /** Whether lowering the rate changes nothing: then it is not why requests are refused. */
  #isFutile(refused: number): boolean {
    if (refused > this.#ceiling || this.#peak === 0) {
      this.#peak = refused;
      this.#decreases = 0;
      this.#rowRequests = 0;
    }
    this.#decreases++;
    this.#rowRequests += this.#requests;
    this.#requests = 0;
    if (this.#decreases < FUTILE_DECREASES) return false;
    const requests = this.#rowRequests / this.#decreases;
    this.#decreases = 0;
    this.#rowRequests = 0;
    return requests >= FUTILE_REQUESTS && (requests * 1000) / this.#peak < FUTILE_MS;
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

/** Admits requests. Pure: the time is handed in, in milliseconds, and never goes back. */
export interface Limiter {
  /** Admits a request: 0, or the time until the next one may be admitted if this one is not. */
  admit(nowMs: number): number;
  /** A request that was admitted is over. */
  release(): void;
}

/** So many requests per second, with a reserve of so many that may come at once. */
export class TokenBucket implements Limiter {
  readonly #perSecond: number;
  readonly #capacity: number;
  /** In thousandths of a request: with whole milliseconds and a whole rate, sums are exact. */
  #level: number;
  #filledAtMs = 0;

  constructor(perSecond: number, burst: number) {
    this.#perSecond = perSecond;
    this.#capacity = burst * 1000;
    this.#level = this.#capacity;
  }

  admit(nowMs: number): number {
    this.#level = Math.min(this.#capacity, this.#level + (nowMs - this.#filledAtMs) * this.#perSecond);
    this.#filledAtMs = nowMs;
    if (this.#level < 1000) return (1000 - this.#level) / this.#perSecond;
    this.#level -= 1000;
    return 0;
  }

  release(): void {}
}

/** So many requests in each window of time. A window begins with the first request after the end of the last one. */
export class FixedWindow implements Limiter {
  readonly #quota: number;
  readonly #windowMs: number;
  #endsAtMs = Number.NEGATIVE_INFINITY;
  #admitted = 0;

  constructor(quota: number, windowMs: number) {
    this.#quota = quota;
    this.#windowMs = windowMs;
  }

  admit(nowMs: number): number {
    if (nowMs >= this.#endsAtMs) {
      this.#endsAtMs = nowMs + this.#windowMs;
      this.#admitted = 0;
    }
    if (this.#admitted === this.#quota) return this.#endsAtMs - nowMs;
    this.#admitted++;
    return 0;
  }

  release(): void {}
}

/** So many requests at once. */
export class ConcurrencyLimit implements Limiter {
  readonly #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Nobody knows when a request will be over: a second is a guess. */
  admit(): number {
    if (this.#running === this.#limit) return 1000;
    this.#running++;
    return 0;
  }

  release(): void {
    this.#running--;
  }
}

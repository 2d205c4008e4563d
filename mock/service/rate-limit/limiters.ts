/** Admits or rejects requests. The caller passes the time, in milliseconds, which never decreases. */
export interface Limiter {
  /** @returns 0 if the request is admitted, otherwise the milliseconds until the next one may be. */
  admit(nowMs: number): number;
  /** Called when an admitted request is over. */
  release(): void;
}

/** A token bucket: a number of requests per second, and a burst after a pause. */
export class TokenBucket implements Limiter {
  readonly #perSecond: number;
  readonly #capacity: number;
  /** The available requests, in thousandths, so that sums are exact for integer rates and whole milliseconds. */
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

/** A number of requests per time window. A window begins with the first request after the previous one has ended. */
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

/** A number of requests at once. */
export class ConcurrencyLimit implements Limiter {
  readonly #limit: number;
  #running = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** When a running request will end is unknown: the wait of one second is a guess. */
  admit(): number {
    if (this.#running === this.#limit) return 1000;
    this.#running++;
    return 0;
  }

  release(): void {
    this.#running--;
  }
}

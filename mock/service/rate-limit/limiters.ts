/**
 * Admits or rejects requests. The caller passes the time, in milliseconds. It decreases only if a test replaces the clock:
 * then the limit begins anew.
 */
export interface Limiter {
  /** @returns 0 if the request is admitted, otherwise the milliseconds until the next one may be. */
  admit(nowMs: number): number;
  /** Called when an admitted request is over. */
  release?(): void;
}

/** A token bucket: a number of requests per second, and a burst after a pause. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
  const capacity = burst * 1000;
  // The available requests, in thousandths, so that sums are exact for integer rates and whole milliseconds.
  let level = capacity;
  let filledAtMs = 0;
  const admit = (nowMs: number) => {
    level = nowMs < filledAtMs ? capacity : Math.min(capacity, level + (nowMs - filledAtMs) * perSecond);
    filledAtMs = nowMs;
    if (level < 1000) return (1000 - level) / perSecond;
    level -= 1000;
    return 0;
  };
  return { admit };
}

/** A number of requests per time window. A window begins with the first request after the previous one has ended. */
export function fixedWindow(quota: number, windowMs: number): Limiter {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  let admitted = 0;
  const admit = (nowMs: number) => {
    if (nowMs >= endsAtMs || nowMs < endsAtMs - windowMs) {
      endsAtMs = nowMs + windowMs;
      admitted = 0;
    }
    if (admitted === quota) return endsAtMs - nowMs;
    admitted++;
    return 0;
  };
  return { admit };
}

/** A number of requests at once. */
export function concurrencyLimit(limit: number): Required<Limiter> {
  let running = 0;
  // When a running request will end is unknown: the wait of one second is a guess.
  const admit = () => {
    if (running === limit) return 1000;
    running++;
    return 0;
  };
  return { admit, release: () => running-- };
}

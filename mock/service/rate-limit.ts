import { integer, MAX_TIMER_MS, mustBe, type Rules } from "../../src/checks/rules.ts";
import { checkOptions } from "./check-options.ts";

/** How many requests each session of the mock admits. Above the limit the mock returns 429. */
export type RateLimit = (
  | {
      /** How many requests are admitted per second, e.g. 50 or 0.5. */
      perSecond: number;
      /**
       * How many are admitted at once after a pause.
       *
       * @defaultValue `perSecond`, rounded up
       */
      burst?: number | undefined;
    }
  | {
      /** How many requests are admitted per time window. */
      quota: number;
      /** The length of the window. It begins with the first request after the previous window has ended. */
      windowSeconds: number;
    }
) & {
  /**
   * The value of `Retry-After`, in whole seconds; `false` omits the header.
   *
   * @defaultValue the time until the next request may be admitted
   */
  retryAfter?: number | false | undefined;
};

/**
 * Admits or rejects requests: returns 0 if the request is admitted, otherwise the milliseconds until the next one may be.
 * The caller passes the time, in milliseconds. It decreases only if a test replaces the clock: then the limit begins anew.
 */
export type Limiter = (nowMs: number) => number;

type Fields = Pick<RateLimit, "retryAfter"> & {
  [Name in "perSecond" | "burst" | "quota" | "windowSeconds"]?: number | undefined;
};

const positive = mustBe("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0);

const rules: Rules<Fields> = {
  perSecond: positive,
  burst: integer(1),
  quota: integer(1),
  windowSeconds: positive,
  retryAfter: mustBe(
    `false, or an integer from 0 to ${MAX_TIMER_MS}`,
    (value) => value === false || integer(0, MAX_TIMER_MS)(value) === undefined,
  ),
};

/**
 * Checks a rate limit.
 *
 * @throws TypeError that names the field, the rule and the fix.
 */
export function resolveRateLimit(given: RateLimit) {
  const fields = checkOptions<Fields>(given, rules, { noun: "field", within: "rateLimit" });
  const { retryAfter } = fields;
  return {
    /** Creates the limiter of one session. */
    createLimiter: limiterFactory(fields),
    /** The value of `Retry-After` for a wait; absent to omit the header. */
    // Bounded, because a larger number would be written with an exponent, which is not a valid Retry-After.
    retryAfterSeconds: (waitMs: number) =>
      retryAfter === false ? undefined : (retryAfter ?? Math.min(MAX_TIMER_MS, Math.ceil(waitMs / 1000))),
  };
}

function limiterFactory(fields: Fields): () => Limiter {
  const { perSecond, burst, quota, windowSeconds } = fields;
  if (perSecond !== undefined && quota === undefined && windowSeconds === undefined) {
    return () => tokenBucket(perSecond, burst ?? Math.ceil(perSecond));
  }
  if (quota !== undefined && windowSeconds !== undefined && perSecond === undefined && burst === undefined) {
    return () => fixedWindow(quota, windowSeconds * 1000);
  }
  const received = Object.entries(fields).filter(([, value]) => value !== undefined);
  throw new TypeError(
    "rateLimit: must be { perSecond, burst? } or { quota, windowSeconds }, each with retryAfter?; " +
      `received ${received.map(([name]) => name).join(" and ") || "none"}`,
  );
}

/** A token bucket: a number of requests per second, and a burst after a pause. */
export function tokenBucket(perSecond: number, burst: number): Limiter {
  const capacity = burst * 1000;
  // The available requests, in thousandths, so that sums are exact for integer rates and whole milliseconds.
  let level = capacity;
  let filledAtMs = 0;
  return (nowMs) => {
    level = nowMs < filledAtMs ? capacity : Math.min(capacity, level + (nowMs - filledAtMs) * perSecond);
    filledAtMs = nowMs;
    if (level < 1000) return (1000 - level) / perSecond;
    level -= 1000;
    return 0;
  };
}

/** A number of requests per time window. A window begins with the first request after the previous one has ended. */
export function fixedWindow(quota: number, windowMs: number): Limiter {
  let endsAtMs = Number.NEGATIVE_INFINITY;
  let admitted = 0;
  return (nowMs) => {
    if (nowMs >= endsAtMs || nowMs < endsAtMs - windowMs) {
      endsAtMs = nowMs + windowMs;
      admitted = 0;
    }
    if (admitted === quota) return endsAtMs - nowMs;
    admitted++;
    return 0;
  };
}

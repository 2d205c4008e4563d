import { integer, MAX_TIMER_MS, mustBe, type Rules } from "../../../src/checks/rules.ts";
import { checkOptions } from "../check-options.ts";
import { concurrencyLimit, fixedWindow, type Limiter, tokenBucket } from "./limiters.ts";

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
  | {
      /**
       * How many requests may be in progress at once. The mock responds at once: only requests that wait in a fault, such
       * as `delay`, are in progress.
       */
      concurrent: number;
    }
) & {
  /**
   * The value of `Retry-After`, in whole seconds; `false` omits the header.
   *
   * @defaultValue the time until the next request may be admitted; 1 for `concurrent`
   */
  retryAfter?: number | false | undefined;
};

/** A checked rate limit. */
export interface ResolvedRateLimit {
  /** Creates the limiter of one session. */
  createLimiter(): Limiter;
  /** The value of `Retry-After` for a wait; `undefined` omits the header. */
  retryAfterSeconds(waitMs: number): number | undefined;
}

type Fields = Pick<RateLimit, "retryAfter"> & {
  [Name in "perSecond" | "burst" | "quota" | "windowSeconds" | "concurrent"]?: number | undefined;
};

const positive = mustBe("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0);

const rules: Rules<Fields> = {
  perSecond: positive,
  burst: integer(1),
  quota: integer(1),
  windowSeconds: positive,
  concurrent: integer(1),
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
export function resolveRateLimit(given: RateLimit): ResolvedRateLimit {
  const fields = checkOptions<Fields>(given, rules, { noun: "field", within: "rateLimit" });
  const { retryAfter } = fields;
  return {
    createLimiter: limiterFactory(fields),
    // Bounded, because a larger number would be written with an exponent, which is not a valid Retry-After.
    retryAfterSeconds: (waitMs) =>
      retryAfter === false ? undefined : (retryAfter ?? Math.min(MAX_TIMER_MS, Math.ceil(waitMs / 1000))),
  };
}

function limiterFactory(fields: Fields): () => Limiter {
  const { perSecond, burst, quota, windowSeconds, concurrent } = fields;
  const given = [perSecond ?? burst, quota ?? windowSeconds, concurrent].filter((field) => field !== undefined);
  if (given.length === 1) {
    if (perSecond !== undefined) return () => tokenBucket(perSecond, burst ?? Math.ceil(perSecond));
    if (quota !== undefined && windowSeconds !== undefined) return () => fixedWindow(quota, windowSeconds * 1000);
    if (concurrent !== undefined) return () => concurrencyLimit(concurrent);
  }
  const received = Object.entries(fields).filter(([, value]) => value !== undefined);
  throw new TypeError(
    "rateLimit: must be { perSecond, burst? }, { quota, windowSeconds } or { concurrent }, each with retryAfter?; " +
      `received ${received.map(([name]) => name).join(" and ") || "none"}`,
  );
}

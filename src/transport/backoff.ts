import type { Clock } from "./clock.ts";

/** A server that asks for more than this is not waited for. */
const MAX_RETRY_AFTER_MS = 60_000;

/** How long to wait before a retry that the server says nothing about: at most `initialMs`, twice that each time, at most `maxMs`. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7). `Date.parse` alone would take far more. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/** What Retry-After asks for, in milliseconds from now; nothing where it is absent or malformed. */
export function parseRetryAfter(value: string | null, clock: Clock): number | undefined {
  const text = value ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  if (!HTTP_DATE.test(text)) return undefined;
  // The asctime form carries no zone, and means GMT as the others do.
  const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : Math.max(0, time - clock.date());
}

/**
 * The wait before the next attempt in milliseconds: what the server asked for, as a minimum, plus full jitter, so that
 * many clients do not come back at the same moment. Nothing where the server asks for too long.
 *
 * @param retries - How many retries there were already.
 */
export function delayBefore(
  retries: number,
  retryAfterMs: number | undefined,
  { initialMs, maxMs }: Backoff,
  clock: Clock,
): number | undefined {
  const leastMs = retryAfterMs ?? 0;
  if (leastMs > MAX_RETRY_AFTER_MS) return undefined;
  const jitterMs = clock.random() * Math.min(maxMs, initialMs * 2 ** retries);
  return leastMs + jitterMs;
}

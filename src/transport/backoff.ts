import type { Clock } from "./clock.ts";

/** If the server asks for a longer wait, the call fails instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/** The longest wait before a retry without Retry-After: `initialMs`, doubled with each retry, but at most `maxMs`. */
export interface Backoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

/** The three forms of an HTTP-date (RFC 9110, section 5.6.7). `Date.parse` alone would accept many others. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/** The value of Retry-After in milliseconds from now; undefined if it is absent or malformed. */
export function parseRetryAfter(value: string | null, clock: Clock): number | undefined {
  // Node's own fetch keeps a tab at the end.
  const text = `${value}`.trim();
  // A service and its gateway may both send one; `Headers` joins them.
  if (/^\d+(?:, *\d+)*$/.test(text)) {
    return Math.min(Math.max(...text.split(",").map(Number)) * 1000, Number.MAX_SAFE_INTEGER);
  }
  if (!HTTP_DATE.test(text)) return undefined;
  // The asctime form names no zone and means GMT, as the others do.
  const time = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : Math.max(0, time - clock.date());
}

/**
 * The wait before the next attempt in milliseconds: Retry-After as a minimum, plus full jitter, so that many clients do
 * not retry at the same moment. Infinity if the server asks for too long a wait.
 *
 * @param retries - The number of retries so far.
 */
export function delayBefore(retries: number, retryAfterMs = 0, { initialMs, maxMs }: Backoff, clock: Clock): number {
  if (retryAfterMs > MAX_RETRY_AFTER_MS) return Number.POSITIVE_INFINITY;
  const jitterMs = clock.random() * Math.min(maxMs, initialMs * 2 ** retries);
  return retryAfterMs + jitterMs;
}

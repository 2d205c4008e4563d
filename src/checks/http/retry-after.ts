/** The three forms of an HTTP-date (RFC 9110, section 5.6.7). `Date.parse` alone would accept many others. */
const HTTP_DATE =
  /^(?:\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT|\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT|\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

/**
 * The value of Retry-After in milliseconds; undefined if it is absent or malformed.
 *
 * @param date - The response's own Date, from which a date counts: the clocks of service and client may differ.
 */
export function parseRetryAfter(
  value: string | null,
  date: string | null,
  clock: { date(): number },
): number | undefined {
  // Node's own fetch keeps a tab at the end.
  const text = `${value}`.trim();
  // A service and its gateway may both send one; `Headers` joins them.
  if (/^\d+(?:, *\d+)*$/.test(text)) {
    return Math.min(Math.max(...text.split(",").map(Number)) * 1000, Number.MAX_SAFE_INTEGER);
  }
  const time = parseDate(text);
  return time === undefined ? undefined : Math.max(0, time - (parseDate(`${date}`) ?? clock.date()));
}

/** An HTTP-date in milliseconds since the epoch. The asctime form names no zone and means GMT, as the others do. */
function parseDate(text: string): number | undefined {
  const time = HTTP_DATE.test(text) ? Date.parse(text.endsWith("GMT") ? text : `${text} GMT`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

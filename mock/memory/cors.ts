/**
 * What lets a page of another origin call the mock, without credentials.
 *
 * Source: the Fetch standard, "HTTP extensions".
 */

/** The value of a request's header, by its lower-case name. */
type Get = (name: string) => string | null | undefined;

/** Whether a browser asks if a page of another origin may call the service. */
export function isPreflight(method: string | undefined, get: Get): boolean {
  return method === "OPTIONS" && Boolean(get("origin") && get("access-control-request-method"));
}

/** The headers of the response to a preflight, whose status is 204: the page may send its request. */
export function preflightHeaders(get: Get): [name: string, value: string][] {
  const requested = get("access-control-request-headers");
  // The names, because `*` would not cover Authorization.
  const allowed: [string, string][] = requested ? [["Access-Control-Allow-Headers", requested]] : [];
  return [
    ["Access-Control-Allow-Origin", "*"],
    ["Access-Control-Allow-Methods", `${get("access-control-request-method")}`],
    ...allowed,
    ["Access-Control-Max-Age", "600"],
    ["Vary", "Access-Control-Request-Headers"],
  ];
}

/**
 * The CORS headers that a response does not set itself. A page may read all of its headers.
 *
 * @param own - The names of its headers.
 */
export function corsHeaders(own: readonly string[]): [name: string, value: string][] {
  const set = own.map((name) => name.toLowerCase());
  const cors: [string, string][] = [
    ["Access-Control-Allow-Origin", "*"],
    ["Access-Control-Expose-Headers", set.join(", ")],
  ];
  return cors.filter(([name]) => !set.includes(name.toLowerCase()));
}

/** What the client passes to a `fetch`, as its second argument. */
export interface FetchInit {
  /** The request method, e.g. `POST`. */
  method: string;
  /** The headers by lower-case name, the bearer token among them. */
  headers: Record<string, string>;
  /** The request body; on Deno a Blob, although its type is a string. */
  body: string | null;
  /** Never followed: a redirect can turn a POST into a GET. */
  redirect: "manual";
  /** Aborted at the end of the call. */
  signal: AbortSignal;
}

/**
 * Any `fetch` that the client can send with: the global one, undici's, node-fetch's, or a function that wraps one. Of its
 * response, the client reads `status`, `headers`, and `body` or `text()`. It must send a request once: undici's, and a
 * wrapper of Node's own, send it again after a 421.
 */
export type FetchLike = (
  url: string,
  init: FetchInit,
) => Promise<{
  /** The HTTP status. */
  readonly status: number;
  /** The headers: a Headers, or any object like it. */
  readonly headers: object;
}>;

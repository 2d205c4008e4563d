import createClient, { type Client, createQuerySerializer } from "openapi-fetch";

export type { Client } from "openapi-fetch";

/** The body of a response as parsed by openapi-fetch: `data` of a 2xx, `error` of any other status. */
export interface ApiReply {
  readonly data?: unknown;
  readonly error?: unknown;
}

/** Sends a request built by openapi-fetch. */
export type ApiFetch = (request: ApiRequest) => Promise<Response>;

/**
 * A request built by openapi-fetch, in which it replaces Request: a real one costs more than the rest of the call, makes
 * `fetch` create a second one, and holds its signal only weakly (nodejs/undici#3644).
 */
export class ApiRequest {
  readonly method: string;
  /** The output of the operation's serializer. */
  readonly body: unknown;

  constructor(
    readonly url: string,
    { method, body }: Pick<ApiRequest, "method" | "body">,
  ) {
    this.method = method;
    this.body = body;
  }
}

/** Creates the typed HTTP layer: openapi-fetch with light requests, using only its public options. */
export function createApi<Paths extends object>(baseUrl: string): Client<Paths> {
  return createClient<Paths>({
    baseUrl,
    // Openapi-fetch only constructs it and passes it to `fetch`.
    Request: ApiRequest as unknown as typeof Request,
    // Created once: by default, openapi-fetch creates one for each call.
    querySerializer: createQuerySerializer(),
  });
}

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Openapi-fetch reads only Content-Length, and calls `text` if it is absent. */
const NO_HEADERS = { get: () => undefined };

/**
 * The part of a Response that openapi-fetch reads: it calls `text` once, except for a 204. A real Response would cost more
 * than parsing its text.
 */
export function apiResponse(status: number, text: () => Promise<string>): Response {
  return { status, ok: isSuccess(status), headers: NO_HEADERS, text } as unknown as Response;
}

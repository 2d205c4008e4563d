import createClient, { type Client } from "openapi-fetch";

/** What openapi-fetch made of a reply: the parsed body of a 2xx, or that of any other status. */
export interface ApiReply {
  readonly data?: unknown;
  readonly error?: unknown;
}

/** What is sent, as openapi-fetch has built it: the body is what the operation's serializer gave. */
export interface ApiRequest extends Pick<Request, "url" | "method" | "redirect"> {
  readonly body: unknown;
}

/** Sends what openapi-fetch has built. */
export type ApiFetch = (request: ApiRequest) => Promise<Response>;

/**
 * The request that openapi-fetch builds. A real one costs more than the whole rest of a call, is built a second time by
 * `fetch`, and holds its signal only weakly (nodejs/undici#3644).
 */
class LightRequest implements ApiRequest {
  readonly method: string;
  readonly redirect: RequestRedirect;
  readonly body: unknown;

  constructor(
    readonly url: string,
    { method, redirect, body }: ApiRequest,
  ) {
    this.method = method;
    this.redirect = redirect;
    this.body = body;
  }
}

/** What openapi-fetch reads of a Response. */
export interface ApiResponse extends Pick<Response, "status" | "ok" | "text"> {
  readonly headers: Pick<Headers, "get">;
}

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Hands a reply to openapi-fetch, which asks for its text and parses it. A real Response would cost more than that. */
export function toResponse(reply: ApiResponse): Response {
  return reply as unknown as Response;
}

/** Makes the typed HTTP layer: openapi-fetch over light requests, by its public options alone. */
export function createApi<Paths extends object>(baseUrl: string): Client<Paths> {
  return createClient<Paths>({
    baseUrl,
    // A POST must not become a GET that "succeeds".
    redirect: "manual",
    // Openapi-fetch only constructs it, and hands it to `fetch`.
    Request: LightRequest as unknown as typeof Request,
    querySerializer: () => "",
  });
}

import createClient from "openapi-fetch";
import { encodeNewPlant } from "../contract/json.ts";
import type { paths } from "../contract/openapi.ts";
import { CREATE_PLANT } from "../contract/operations.ts";
import type { NewPlant } from "../contract/plant.ts";
import type { AttemptLog } from "./attempts.ts";
import { type BodyText, readBody } from "./body.ts";
import type { Scope } from "./deadline.ts";
import { isDeno, isOldBun } from "./proof.ts";
import { redactCause } from "./redact.ts";

/**
 * What sends the request: the global `fetch`, or one with its signature.
 *
 * It is called with a URL and an `init` of method, headers, body, signal and `redirect: "manual"`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A whole reply. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: BodyText;
}

/** No reply, or one that broke off after its status line. */
export class ConnectionFailure {
  constructor(
    readonly cause: unknown,
    readonly status?: number,
  ) {}
}

/** What one POST needs beside the plant. */
export interface Exchange {
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly scope: Scope;
  readonly log: AttemptLog;
}

/** Sends one POST. It rejects with a {@link ConnectionFailure}. */
export type Send = (plant: NewPlant, exchange: Exchange) => Promise<Reply>;

/**
 * What openapi-fetch fills in instead of a Request. The real one costs more than the whole rest of a call, is built a
 * second time by `fetch`, and holds its signal only weakly (nodejs/undici#3644).
 */
class LightRequest {
  readonly method: RequestInit["method"];
  readonly redirect: RequestInit["redirect"];

  constructor(
    readonly url: string,
    { method, redirect }: RequestInit,
  ) {
    this.method = method;
    this.redirect = redirect;
  }
}

/** What openapi-fetch is answered: it looks no further at a 204, and hands it on with the reply in it. */
class Envelope {
  readonly status = 204;
  readonly ok = true;
  readonly headers = NO_HEADERS;

  constructor(readonly reply: Reply) {}
}

const NO_HEADERS = { get: () => null };

/** Makes the function that sends, through openapi-fetch, which ties path and method to the contract. */
export function createSend(options: {
  readonly baseUrl: string;
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
}): Send {
  const api = createClient<paths>({
    baseUrl: options.baseUrl,
    // A POST must not become a GET that "succeeds".
    redirect: "manual",
    Request: LightRequest as unknown as typeof Request,
    querySerializer: () => "",
  });

  return (plant, { token, headers, scope, log }) => {
    const exchange = async ({ url, method, redirect }: Request): Promise<Response> => {
      let status: number | undefined;
      try {
        const init: RequestInit = {
          method,
          // A plain object: fetch makes the one Headers that is needed.
          headers: { ...headers, "content-type": "application/json", authorization: `Bearer ${token}` },
          body: bodyOf(encodeNewPlant(plant)),
          redirect,
          signal: scope.signal,
        };
        if (isOldBun) init.keepalive = false;
        // Looked up at each call: a test's interceptor may have replaced it since this client was made.
        const fetch = options.fetch ?? globalThis.fetch;
        const response = await fetch(url, init);
        status = response.status;
        log.arrived(status);
        const body = await readBody(response, options.maxResponseBytes, scope);
        // An application's test may hand in a plain object of them, or none.
        const own = response.headers;
        const reply = { status, headers: own instanceof Headers ? own : new Headers(own), body };
        return new Envelope(reply) as unknown as Response;
      } catch (cause) {
        throw new ConnectionFailure(redactCause(cause, log.redact), status);
      }
    };
    // The body is encoded where it is sent: for one, openapi-fetch would make two Headers of its own.
    return api[CREATE_PLANT.method](CREATE_PLANT.path, { body: undefined as never, fetch: exchange }).then(replyOf);
  };
}

function replyOf({ response }: { readonly response: Response }): Reply {
  return (response as unknown as Envelope).reply;
}

/** Deno re-sends a POST on a reused connection that closes before the reply, unless its body is a Blob (denoland/deno#35610). */
function bodyOf(text: string): BodyInit {
  return isDeno ? new Blob([text], { type: "application/json" }) : text;
}

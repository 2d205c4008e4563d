import createClient from "openapi-fetch";
import { encodeNewPlant } from "../contract/json.ts";
import type { paths } from "../contract/openapi.ts";
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

/** A whole reply, in as much of a Response's form as openapi-fetch looks at. It is told by `status` and `body` alone. */
export class Reply {
  readonly ok: boolean;

  constructor(
    readonly status: number,
    readonly headers: Headers,
    readonly body: BodyText,
  ) {
    this.ok = isSuccess(status);
  }

  async text(): Promise<string> {
    return this.body.text;
  }
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
  readonly body: RequestInit["body"];
  readonly redirect: RequestInit["redirect"];

  constructor(
    readonly url: string,
    { method, body, redirect }: RequestInit,
  ) {
    this.method = method;
    this.body = body;
    this.redirect = redirect;
  }
}

/** Whether a status is a 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Makes the function that sends, through openapi-fetch, which ties path, method and body to the contract. */
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
    bodySerializer: (plant) => encodeNewPlant(plant as unknown as NewPlant),
    querySerializer: () => "",
  });

  return async (plant, { token, headers, scope, log }) => {
    const exchange = async ({ url, method, body, redirect }: Request): Promise<Response> => {
      const init: RequestInit = {
        method,
        // A plain object: openapi-fetch would make two Headers of it, and fetch a third.
        headers: { ...headers, "content-type": "application/json", authorization: `Bearer ${token}` },
        body: bodyOf(body),
        redirect,
        signal: scope.signal,
      };
      if (isOldBun) init.keepalive = false;
      let status: number | undefined;
      try {
        // Looked up at each call: a test's interceptor may have replaced it since this client was made.
        const fetch = options.fetch ?? globalThis.fetch;
        const response = await fetch(url, init);
        status = response.status;
        log.arrived(status);
        const text = await readBody(response, options.maxResponseBytes, scope);
        // An application's test may hand in a plain object of them, or none.
        const headers = response.headers instanceof Headers ? response.headers : new Headers(response.headers);
        return new Reply(status, headers, text) as unknown as Response;
      } catch (cause) {
        throw new ConnectionFailure(redactCause(cause, log.redact), status);
      }
    };
    const { response } = await api.POST("/plants", {
      body: plant as RequestBody,
      parseAs: "stream",
      fetch: exchange,
    });
    return response as unknown as Reply;
  };
}

type RequestBody = paths["/plants"]["post"]["requestBody"]["content"]["application/json"];

/** Deno re-sends a POST on a reused connection that closes before the reply, unless its body is a Blob (denoland/deno#35610). */
function bodyOf(text: unknown): BodyInit {
  return isDeno ? new Blob([text as string], { type: "application/json" }) : (text as string);
}

import { codeOf, judgeUnanswered, watchDispatch } from "#platform";
import { type ApiReply, type ApiRequest, isSuccess, toResponse } from "./api.ts";
import { parseRetryAfter } from "./backoff.ts";
import { IncomingReply } from "./body.ts";
import type { Call } from "./call.ts";
import { decodeReply } from "./decode.ts";
import { redactCause } from "./redact.ts";
import { isDeno, isOldBun } from "./resends.ts";
import type { SendResult } from "./result.ts";
import type { Scope } from "./scope.ts";
import { judgeBroken, judgeReply } from "./verdict.ts";

/** One request of a call, what has arrived of its reply, and what that means. */
export class Exchange<Output> {
  readonly #call: Call<Output>;
  readonly #token: string;
  readonly #scope: Scope;
  #incoming: IncomingReply | undefined;

  constructor(call: Call<Output>, token: string, scope: Scope) {
    this.#call = call;
    this.#token = token;
    this.#scope = scope;
  }

  /** Sends the request that openapi-fetch has built. Openapi-fetch then asks for the text of the reply. */
  send(request: ApiRequest): Promise<Response> {
    // An application's test may hand in a `fetch` that returns no promise.
    return Promise.resolve(this.#fetch(request)).then((response) => this.#arrived(response), rethrow);
  }

  #fetch({ url, method, body, redirect }: ApiRequest): Promise<Response> {
    const { settings, client, log } = this.#call;
    const init: RequestInit = {
      method,
      // A plain object: fetch makes the one Headers that is needed.
      headers: { ...settings.headers, "content-type": "application/json", authorization: `Bearer ${this.#token}` },
      // The encoder of the operation made it.
      body: bodyOf(body as string),
      redirect,
      signal: this.#scope.signal,
    };
    if (isOldBun) init.keepalive = false;
    // Looked up at each call: a test's interceptor may have replaced it since this client was made.
    const fetch = client.fetch ?? globalThis.fetch;
    log.watch = watchDispatch(fetch, init);
    return fetch(url, init);
  }

  #arrived(response: Response): Response {
    const { client, log } = this.#call;
    const incoming = new IncomingReply(response, client.maxResponseBytes, this.#scope);
    this.#incoming = incoming;
    log.arrived(incoming.status);
    return toResponse(incoming);
  }

  /** Judges what openapi-fetch made of a whole reply. */
  judge({ data, error }: ApiReply): SendResult<Output> {
    try {
      return this.#judged(data === undefined ? error : data);
    } catch (error) {
      // The headers that an application's test hands in may throw.
      return this.#failed(error);
    }
  }

  /** Judges an error that openapi-fetch passes on. With a whole reply it says that a 2xx is not JSON. */
  judgeError(error: unknown): SendResult<Output> {
    if (this.#incoming?.body) return this.judge({});
    return this.#failed(falsyErrors.has(error as object) ? falsyErrors.get(error as object) : error);
  }

  #judged(body: unknown): SendResult<Output> {
    const { operation, log, clock } = this.#call;
    const reply = (this.#incoming as IncomingReply).whole();
    const decoded = decodeReply(reply, body, operation.validateOutput);
    if (decoded.type === "success") {
      // Even if the call is stopped from here on, the service has done its work.
      log.end("ok", "unknown");
      return decoded;
    }
    const retryAfterMs = parseRetryAfter(reply.headers.get("retry-after"), clock);
    const verdict = judgeReply(reply.status, retryAfterMs, decoded.type === "error-reply");
    log.end(isSuccess(reply.status) ? "body" : "status", verdict.outcome);
    return { ...decoded, verdict };
  }

  #failed(error: unknown): SendResult<Output> {
    const { client, log } = this.#call;
    const status = this.#incoming?.status;
    const cause = redactCause(error, log.redact);
    const verdict =
      status === undefined ? judgeUnanswered({ error, cause, client, watch: log.watch }) : judgeBroken(status);
    log.end(status === undefined ? "network" : "body", verdict.outcome, codeOf(cause));
    return { type: "connection-failure", cause, verdict };
  }
}

/** By what is thrown in their place: openapi-fetch would take a falsy error for none. */
const falsyErrors = /* @__PURE__ */ new WeakMap<object, unknown>();

function rethrow(error: unknown): never {
  if (error) throw error;
  const substitute = new Error("fetch failed without an error");
  falsyErrors.set(substitute, error);
  throw substitute;
}

/** Deno re-sends a POST on a reused connection that closes before the reply, unless its body is a Blob (denoland/deno#35610). */
function bodyOf(text: string): BodyInit {
  return isDeno ? new Blob([text], { type: "application/json" }) : text;
}

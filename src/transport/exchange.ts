import { codeOf, isDeno, isOldBun, judgeUnanswered, watchDispatch } from "#platform";
import { type ApiReply, type ApiRequest, isSuccess, toResponse } from "./api.ts";
import { parseRetryAfter } from "./backoff.ts";
import { IncomingReply } from "./body.ts";
import type { Call } from "./call.ts";
import { decodeReply } from "./decode.ts";
import { redactCause } from "./redact.ts";
import { headersOf } from "./reply.ts";
import type { SendResult, Verdict } from "./result.ts";
import type { Scope } from "./scope.ts";
import { judgeBroken, judgeReply } from "./verdict.ts";

/** One request of a call, its response so far, and the verdict on both. */
export class Exchange<Output> {
  readonly #call: Call<Output>;
  readonly #token: string;
  readonly #scope: Scope;
  /** The `fetch` that the request was given to. */
  #sender: object | undefined;
  #incoming: IncomingReply | undefined;

  constructor(call: Call<Output>, token: string, scope: Scope) {
    this.#call = call;
    this.#token = token;
    this.#scope = scope;
  }

  /** Sends a request built by openapi-fetch, which then reads the text of the response. */
  send(request: ApiRequest): Promise<Response> {
    // In an application's tests, `fetch` may return a plain value.
    return Promise.resolve(this.#fetch(request)).then((response) => this.#arrived(response), rethrow);
  }

  #fetch({ url, method, body }: ApiRequest): Promise<Response> {
    const { operation, settings, client, log } = this.#call;
    const text = (body as string | undefined) ?? null;
    const authorization = `Bearer ${this.#token}`;
    const init: RequestInit = {
      method,
      // A plain object, because `fetch` creates its own Headers.
      headers: { ...settings.headers, ...operation.headers, authorization },
      // The output of the operation's encoder. Deno re-sends a POST on a reused connection that closes early, unless its
      // body is a Blob (denoland/deno#35610).
      body: isDeno && text !== null ? new Blob([text], { type: operation.headers["content-type"] as string }) : text,
      // Following a redirect can turn a POST into a GET that succeeds.
      redirect: "manual",
      signal: this.#scope.signal,
    };
    if (isOldBun) init.keepalive = false;
    // Looked up for each request: an interceptor may have replaced it since the client was created.
    const fetch = client.fetch ?? globalThis.fetch;
    this.#sender = fetch;
    log.watch = watchDispatch(fetch, init);
    try {
      return fetch(url, init);
    } catch (error) {
      return Promise.reject(error);
    }
  }

  #arrived(response: Response): Response {
    const { client, log } = this.#call;
    const incoming = new IncomingReply(response, client.maxResponseBytes, this.#scope);
    this.#incoming = incoming;
    log.arrived(incoming.status);
    return toResponse(incoming);
  }

  /** Judges a complete response with the body that openapi-fetch parsed. */
  judge({ data, error }: ApiReply): SendResult<Output> {
    try {
      // Not whichever is present: a polluted `Object.prototype` may add the other one.
      return this.#judged(this.#incoming?.ok ? data : error);
    } catch (error) {
      // In an application's tests, the headers may throw.
      return this.#failed(error);
    }
  }

  /** Judges an error from openapi-fetch. If the response is complete, the error means that a 2xx is not JSON. */
  judgeError(error: unknown): SendResult<Output> {
    if (this.#incoming?.body) return this.judge({});
    return this.#failed(rejections.has(error as Rejection) ? (error as Rejection).error : error);
  }

  #judged(body: unknown): SendResult<Output> {
    const { operation, log, clock } = this.#call;
    const reply = (this.#incoming as IncomingReply).whole();
    const decoded = decodeReply(reply, body, operation.validateOutput);
    if (decoded.type === "success") {
      // The service has processed the request, even if the call is stopped from here on.
      log.end("ok", "unknown");
      return decoded;
    }
    const retryAfterMs = parseRetryAfter(headersOf(reply).get("retry-after"), clock);
    const verdict = judgeReply(reply.status, retryAfterMs, decoded.type === "error-reply");
    log.end(isSuccess(reply.status) ? "body" : "status", verdict.outcome);
    return { ...decoded, verdict };
  }

  #failed(error: unknown): SendResult<Output> {
    const { client, log } = this.#call;
    const status = this.#incoming?.status;
    const fetch = this.#sender;
    const cause = redactCause(error, log.redact);
    let verdict = NEVER_SENT;
    if (status !== undefined) verdict = judgeBroken(status);
    else if (fetch) verdict = judgeUnanswered({ error, cause, fetch, client, watch: log.watch });
    log.end(status === undefined ? "network" : "body", verdict.outcome, codeOf(cause));
    return { type: "connection-failure", cause, verdict };
  }
}

/** It was given to no `fetch`: the plant is too long for a string, or openapi-fetch failed. */
const NEVER_SENT: Verdict = { outcome: "not-sent", retryable: "never" };

/** The error of a `fetch`, boxed because openapi-fetch ignores a falsy one. */
interface Rejection {
  readonly error: unknown;
}

/** Not a class: `instanceof` throws for a revoked proxy. */
const rejections = /* @__PURE__ */ new WeakSet<Rejection>();

function rethrow(error: unknown): never {
  const rejection = { error };
  rejections.add(rejection);
  throw rejection;
}

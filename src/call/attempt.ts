import { codeOf, judgeProof, prepareRequest } from "#platform";
import { redactCause } from "../checks/redact.ts";
import { parseRetryAfter } from "../checks/retry-after.ts";
import { type ApiRequest, isSuccess, LightResponse } from "./api.ts";
import { type BodyConsumer, type BodyText, noResponseError, readBody } from "./body.ts";
import { canHold, type HeldClock, runHeld } from "./clock.ts";
import type { Deadline } from "./deadline.ts";
import { decodeReply, headerOf, type Reply, type Success } from "./decode.ts";
import type { FetchInit, FetchLike } from "./fetch.ts";
import type { AttemptFailure, Call } from "./operation.ts";
import type { IssuedToken } from "./tokens.ts";
import { judgeIncomplete, judgeResponse, judgeUnanswered, type Verdict } from "./verdict.ts";

/**
 * One request and its response; the methods are in the order in which they are called.
 *
 * Promises are chained here: an async function would allocate three times as much for each call.
 */
export class Attempt<Output> implements BodyConsumer {
  readonly #call: Call<Output>;
  readonly #token: IssuedToken;
  readonly #deadline: Deadline;
  /** The `fetch` that the request was given to. */
  #sender: object | undefined;
  /** Set when the headers have arrived. */
  #response: Response | undefined;
  /** Set when the response is complete. */
  #body: BodyText | undefined;

  constructor(call: Call<Output>, token: IssuedToken, deadline: Deadline) {
    this.#call = call;
    this.#token = token;
    this.#deadline = deadline;
  }

  /** Sends a request built by openapi-fetch. */
  send({ url, method, body }: ApiRequest): Promise<Response> {
    const { operation, settings, log, clock } = this.#call;
    const init: FetchInit = {
      method,
      // A plain object, because `fetch` creates its own Headers.
      headers: { ...operation.headers, ...settings.headers, authorization: `Bearer ${this.#token.value}` },
      body: (body as string | undefined) ?? null,
      // Following a redirect can turn a POST into a GET that succeeds.
      redirect: "manual",
      signal: this.#deadline.signal,
    };
    // Looked up for each request: an interceptor may have replaced it since the client was created.
    const fetch = settings.fetch ?? globalThis.fetch;
    this.#sender = fetch;
    log.watch = prepareRequest(fetch, init);
    const sent = canHold(clock) ? sendHeld(clock, fetch, url, init) : Promise.resolve(fetch(url, init));
    return sent.then((response) => this.#receive(response as Response));
  }

  /** Reads the response, before openapi-fetch parses its text. */
  #receive(response: Response): Promise<Response> {
    const { settings, log } = this.#call;
    // In an application's tests, `fetch` may resolve to anything.
    const status = (response as Partial<Response> | null | undefined)?.status;
    if (typeof status !== "number") throw noResponseError();
    if (response.type === "error") throw new TypeError("fetch resolved to Response.error()");
    this.#response = response;
    log.arrived(status);
    return readBody(response, settings.maxResponseBytes, this.#deadline, this);
  }

  /** The response is complete. */
  complete(body: BodyText): Response {
    this.#body = body;
    return new LightResponse((this.#response as Response).status, body.text) as unknown as Response;
  }

  /** Judges the complete response. */
  judge(parsed: unknown): Success<Output> | AttemptFailure {
    const { operation, log, clock, isIdempotent } = this.#call;
    const response = this.#response as Response;
    const { status } = response;
    const reply: Reply = { status, response, body: this.#body as BodyText };
    const decoded = decodeReply(reply, parsed, operation.validateOutput);
    if (decoded.kind === "success") {
      // The service has processed the request, even if the call is stopped from here on.
      log.end("ok", "unknown");
      return decoded;
    }
    const retryAfterMs = parseRetryAfter(headerOf(reply, "retry-after"), headerOf(reply, "date"), clock);
    const verdict = judgeResponse(status, retryAfterMs, decoded.kind === "api", isIdempotent);
    log.end(isSuccess(status) ? "body" : "status", verdict.outcome);
    return { ...decoded, verdict };
  }

  /** Judges an error from openapi-fetch. If the response is complete, the error means that a 2xx is not JSON. */
  judgeError(error: unknown): Success<Output> | AttemptFailure {
    if (this.#body) return this.judge(undefined);
    const { settings, log, isIdempotent } = this.#call;
    const cause = redactCause(error, log.redact);
    const fetch = this.#sender;
    const response = this.#response;
    let verdict = NEVER_SENT;
    if (response) verdict = judgeIncomplete(response.status, isIdempotent);
    else if (fetch)
      verdict = judgeUnanswered(judgeProof({ error, cause, fetch, settings, watch: log.watch }), isIdempotent);
    log.end(response ? "body" : "network", verdict.outcome, codeOf(cause));
    return { kind: "connection", cause, verdict };
  }
}

/** It was given to no `fetch`: the plant is too long for a string, or openapi-fetch failed. */
const NEVER_SENT: Verdict = { outcome: "not-sent", retryable: false };

/** Sends while a test's clock stands still. A function of its own, because its closure would take memory in every call. */
function sendHeld(clock: HeldClock, fetch: FetchLike, url: string, init: FetchInit) {
  return runHeld(clock, init.signal, () => fetch(url, init), "a fetch");
}

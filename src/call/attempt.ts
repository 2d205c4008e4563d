import { codeOf, judgeProof, prepareRequest } from "#platform";
import { type BodyText, noResponseError, readBody } from "./body.ts";
import type { Call, Failure } from "./call.ts";
import type { Deadline } from "./deadline.ts";
import { decodeReply, headerOf, type Reply, type Success } from "./decode.ts";
import { type ApiRequest, isSuccess, LightResponse } from "./exchange.ts";
import { redactCause } from "./redact.ts";
import type { IssuedToken } from "./tokens.ts";
import { judgeIncomplete, judgeResponse, judgeUnanswered, parseRetryAfter, type Verdict } from "./verdict.ts";

/** One request of a call, and how far it has come. */
interface Exchange<Output> {
  readonly call: Call<Output>;
  readonly token: IssuedToken;
  readonly deadline: Deadline;
  /** The `fetch` that the request was given to. */
  sender: object | undefined;
  /** Set when the headers of the response have arrived. */
  response: Response | undefined;
  /** Set when the response is complete. */
  body: BodyText | undefined;
}

/** A failed attempt, and what it means. */
export type FailedAttempt = Extract<Failure, { readonly verdict: Verdict }>;

/**
 * Sends one request, reads its response, and judges both. Rejects only if the call was stopped.
 *
 * Promises are chained here: an async function would allocate three times as much for each call.
 *
 * @param next - Called with the result; what it returns is returned.
 */
export function sendAttempt<Output, Next>(
  call: Call<Output>,
  token: IssuedToken,
  deadline: Deadline,
  next: (result: Success<Output> | FailedAttempt) => Next | Promise<Next>,
): Promise<Next> {
  const { operation, api, input, log } = call;
  const exchange: Exchange<Output> = {
    call,
    token,
    deadline,
    sender: undefined,
    response: undefined,
    body: undefined,
  };
  log.begin(token);
  return operation
    .send(api, input, (request) => send(request, exchange))
    .then(
      (parsed) => next(judgeReply(exchange, "data" in parsed ? parsed.data : parsed.error)),
      // If the response is complete, the error means that a 2xx is not JSON.
      (error) => next(exchange.body ? judgeReply(exchange, undefined) : judgeError(exchange, error)),
    );
}

/** Sends a request built by openapi-fetch. */
function send({ url, method, body }: ApiRequest, exchange: Exchange<unknown>): Promise<Response> {
  const { call, token, deadline } = exchange;
  const { operation, settings, log } = call;
  const init: RequestInit = {
    method,
    // A plain object, because `fetch` creates its own Headers.
    headers: { ...settings.headers, ...operation.headers, authorization: `Bearer ${token.value}` },
    body: (body as string | undefined) ?? null,
    // Following a redirect can turn a POST into a GET that succeeds.
    redirect: "manual",
    signal: deadline.signal,
  };
  // Looked up for each request: an interceptor may have replaced it since the client was created.
  const fetch = settings.fetch ?? globalThis.fetch;
  exchange.sender = fetch;
  log.watch = prepareRequest(fetch, init);
  return Promise.resolve(fetch(url, init)).then((response) => receive(response, exchange));
}

/** Reads a response, before openapi-fetch parses its text. */
function receive(response: Response, exchange: Exchange<unknown>): Promise<Response> {
  const { call, deadline } = exchange;
  // In an application's tests, `fetch` may resolve to anything.
  const status = (response as Partial<Response> | null | undefined)?.status;
  if (typeof status !== "number") throw noResponseError();
  exchange.response = response;
  call.log.arrived(status);
  return readBody(response, call.settings.maxResponseBytes, deadline).then((body) => {
    exchange.body = body;
    return new LightResponse(status, body.text) as unknown as Response;
  });
}

/** Judges a complete response. */
function judgeReply<Output>(exchange: Exchange<Output>, parsed: unknown): Success<Output> | FailedAttempt {
  const { operation, log, clock, isIdempotent } = exchange.call;
  const response = exchange.response as Response;
  const { status } = response;
  const reply: Reply = { status, response, body: exchange.body as BodyText };
  const decoded = decodeReply(reply, parsed, operation.validateOutput);
  if (decoded.kind === "success") {
    // The service has processed the request, even if the call is stopped from here on.
    log.end("ok", "unknown");
    return decoded;
  }
  const retryAfterMs = parseRetryAfter(headerOf(reply, "retry-after"), clock);
  const verdict = judgeResponse(status, retryAfterMs, decoded.kind === "api", isIdempotent);
  log.end(isSuccess(status) ? "body" : "status", verdict.outcome);
  return { ...decoded, verdict };
}

/** Judges a request without a complete response. */
function judgeError({ call, sender, response }: Exchange<unknown>, error: unknown): FailedAttempt {
  const { settings, log, isIdempotent } = call;
  const cause = redactCause(error, log.redact);
  let verdict = NEVER_SENT;
  if (response) verdict = judgeIncomplete(response.status, isIdempotent);
  else if (sender) {
    const proof = judgeProof({ error, cause, fetch: sender, settings, watch: log.watch });
    verdict = judgeUnanswered(proof, isIdempotent);
  }
  log.end(response ? "body" : "network", verdict.outcome, codeOf(cause));
  return { kind: "connection", cause, verdict };
}

/** It was given to no `fetch`: the plant is too long for a string, or openapi-fetch failed. */
const NEVER_SENT: Verdict = { outcome: "not-sent", retryable: false };

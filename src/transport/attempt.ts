import { FETCH_MARK } from "../contract/fetch-mark.ts";
import { type ApiRequest, isSuccess, toResponse } from "./api.ts";
import { parseRetryAfter } from "./backoff.ts";
import { readBody } from "./body.ts";
import type { Call, SendRequest } from "./call.ts";
import { decodeReply } from "./decode.ts";
import { watchDispatch } from "./global-dispatch.ts";
import { codeOf, isDeno, isOldBun } from "./proof.ts";
import { redactCause } from "./redact.ts";
import type { Reply, SendResult } from "./result.ts";
import type { Scope } from "./scope.ts";
import { judgeFailure, judgeReply } from "./verdict.ts";

/** What has arrived of one reply so far. */
interface Arrival {
  status?: number;
  reply?: Reply;
}

/** Sends the request of a call once, and judges how that ended. It rejects only if the call was stopped before. */
export async function attempt<Output>(
  call: Call<Output>,
  send: SendRequest,
  token: string,
  scope: Scope,
): Promise<SendResult<Output>> {
  const { log } = call;
  scope.signal.throwIfAborted();
  log.begin(token);
  const arrival: Arrival = {};
  let body: unknown;
  try {
    const { data, error } = await send((request) => receive(call, request, token, scope, arrival));
    body = data === undefined ? error : data;
  } catch (error) {
    // With a whole reply it is openapi-fetch's word that a 2xx is not JSON.
    if (!arrival.reply) return failed(call, (error as Error).cause, arrival.status);
  }
  try {
    return judged(call, arrival.reply as Reply, body);
  } catch (error) {
    // The headers that an application's test hands in may throw.
    return failed(call, error, arrival.status);
  }
}

/** Sends the request that openapi-fetch has built, with its headers; reads the body within the limit and the deadline. */
async function receive(
  { settings, client, log }: Call<unknown>,
  { url, method, body, redirect }: ApiRequest,
  token: string,
  scope: Scope,
  arrival: Arrival,
): Promise<Response> {
  try {
    const init: RequestInit = {
      method,
      // A plain object: fetch makes the one Headers that is needed.
      headers: { ...settings.headers, "content-type": "application/json", authorization: `Bearer ${token}` },
      // The encoder of the operation made it.
      body: bodyOf(body as string),
      redirect,
      signal: scope.signal,
    };
    if (isOldBun) init.keepalive = false;
    // Looked up at each call: a test's interceptor may have replaced it since this client was made.
    const fetch = client.fetch ?? globalThis.fetch;
    log.watch = watchDispatch(fetch, init);
    const response = await fetch(url, init);
    const { status, headers } = response;
    arrival.status = status;
    log.arrived(status);
    const text = await readBody(response, client.maxResponseBytes, scope);
    // An application's test may hand in a plain object of headers, or none.
    arrival.reply = { status, headers: headers instanceof Headers ? headers : new Headers(headers), body: text };
    return toResponse(arrival.reply);
  } catch (cause) {
    // Openapi-fetch would swallow a falsy error.
    throw new Error("There is no reply", { cause });
  }
}

/** Deno re-sends a POST on a reused connection that closes before the reply, unless its body is a Blob (denoland/deno#35610). */
function bodyOf(text: string): BodyInit {
  return isDeno ? new Blob([text], { type: "application/json" }) : text;
}

function judged<Output>(call: Call<Output>, reply: Reply, body: unknown): SendResult<Output> {
  const { operation, log, clock } = call;
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

function failed<Output>({ client, log }: Call<Output>, error: unknown, status: number | undefined): SendResult<Output> {
  const cause = redactCause(error, log.redact);
  const isForeign = client.fetch !== undefined && !(FETCH_MARK in client.fetch);
  const url = isForeign ? client.baseUrl : undefined;
  const verdict = judgeFailure(cause, status, log.watch?.hadBegun(error), url);
  log.end(status === undefined ? "network" : "body", verdict.outcome, codeOf(cause));
  return { type: "connection-failure", cause, verdict };
}

import { codeOf, judgeProof, prepareRequest } from "#platform";
import { parseRetryAfter } from "../checks/http/retry-after.ts";
import { redactCause } from "../checks/redaction/redact-values.ts";
import type { Call, Exchange } from "./call.ts";
import type { Clock } from "./clock.ts";
import type { Deadline } from "./deadline.ts";
import { decodeReply, headerOf, type Result } from "./decode.ts";
import { runHeld } from "./foreign-code.ts";
import { type ApiRequest, apiResponse, isSuccess } from "./openapi-fetch.ts";
import { noResponseError, type Reply, readBody } from "./response-body.ts";
import type { FetchInit, FetchLike, Settings } from "./settings.ts";
import { judgeResponse, VERDICTS } from "./verdict.ts";

/** Sends the request of a call once through openapi-fetch, and judges the result. */
export function sendAttempt<Output>(
  call: Call<Output>,
  exchange: Exchange,
  deadline: Deadline,
): Promise<Result<Output>> {
  const { operation, api, input } = call;
  return operation
    .send(api, input, (request) => sendRequest(request, call.settings, exchange, deadline))
    .then(
      (parsed) => judge(call, exchange, "data" in parsed ? parsed.data : parsed.error),
      // If the response is complete, the error means that a 2xx is not JSON.
      (error) => judge(call, exchange, undefined, error),
    );
}

/** Sends a request built by openapi-fetch; its response is read when openapi-fetch asks for the text. */
function sendRequest(
  { url, method, body }: ApiRequest,
  settings: Settings,
  exchange: Exchange,
  deadline: Deadline,
): Promise<Response> {
  const { clock } = settings;
  const text = (body as string | undefined) ?? null;
  const init: FetchInit = {
    method,
    // The contract's, the client's and the caller's. A plain object, because `fetch` creates its own Headers.
    headers: { ...settings.headers, authorization: `Bearer ${exchange.token.value}` },
    body: text,
    // Following a redirect can turn a POST into a GET that succeeds.
    redirect: "manual",
    signal: deadline.signal,
  };
  if (text === null) delete init.headers["content-type"];
  // Looked up for each request: an interceptor may have replaced it since the client was created.
  const fetch = settings.fetch ?? globalThis.fetch;
  exchange.sender = fetch;
  exchange.watch = prepareRequest(fetch, init);
  const sent = clock.hold ? sendHeld(clock, fetch, url, init) : Promise.resolve(fetch(url, init));
  return sent.then((given) => {
    const response = given as Response;
    // In an application's tests, `fetch` may resolve to anything.
    const status = (response as Partial<Response> | null | undefined)?.status;
    if (typeof status !== "number") throw noResponseError();
    if (response.type === "error") throw new TypeError("fetch resolved to Response.error()");
    exchange.response = response;
    // Openapi-fetch does not read its body.
    if (status === 204) exchange.reply = { response, text: "", isTruncated: false, isMalformed: false };
    return apiResponse(status, () => readBody(response, exchange, settings.maxResponseBytes, deadline));
  });
}

/** Sends while a test's clock stands still. */
function sendHeld(clock: Clock, fetch: FetchLike, url: string, init: FetchInit) {
  return runHeld(clock, "a fetch", () => fetch(url, init), init.signal);
}

function judge<Output>(call: Call<Output>, exchange: Exchange, parsed: unknown, error?: unknown): Result<Output> {
  const { reply } = exchange;
  return reply && !reply.isCut ? judgeReply(reply, parsed, exchange, call) : judgeError(error, exchange, call);
}

/** Judges a complete response. */
function judgeReply<Output>(reply: Reply, parsed: unknown, exchange: Exchange, call: Call<Output>): Result<Output> {
  const result = decodeReply(reply, parsed, call.operation.validateOutput);
  if (result.kind === "success") {
    exchange.end("ok", VERDICTS.processed);
    return result;
  }
  const { status } = reply.response;
  exchange.retryAfterMs = retryAfterOf(reply, call);
  const verdict = judgeResponse(status, exchange.retryAfterMs, result.kind === "api");
  exchange.end(isSuccess(status) ? "body" : "status", verdict);
  return result;
}

function retryAfterOf(reply: Reply, { settings }: Call<unknown>): number | undefined {
  return parseRetryAfter(headerOf(reply, "retry-after"), headerOf(reply, "date"), settings.clock);
}

/** Judges a request without a complete response. A status line that has arrived counts, even if the body was cut off. */
function judgeError<Output>(error: unknown, exchange: Exchange, call: Call<Output>): Result<Output> {
  const { settings, redact } = call;
  const { sender: fetch, response, watch } = exchange;
  const cause = redactCause(error, redact);
  if (!response) {
    // It was given to no `fetch` if the plant is too long for a string, or openapi-fetch failed.
    const proof = fetch ? judgeProof({ error, cause, fetch, settings, watch }) : "unsendable";
    exchange.end("network", VERDICTS[proof], codeOf(cause));
    return { kind: "connection", cause };
  }
  const verdict = judgeResponse(response.status);
  exchange.end("body", verdict, codeOf(cause));
  if (verdict.outcome !== "rejected") return { kind: "connection", cause };
  const reply = exchange.reply ?? { response, text: "", isTruncated: true, isMalformed: false };
  exchange.retryAfterMs = retryAfterOf(reply, call);
  return {
    kind: "response",
    reason: "status",
    detail: `${response.status} with a body that was cut off`,
    reply,
    cause,
  };
}

import type { Issue } from "../contract/schema.ts";
import {
  type AnyPlantStoreError,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConnectionError,
  type PlantStoreErrorInit,
  PlantStoreInputError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "../errors.ts";
import { abortReason } from "./abort.ts";
import type { Call } from "./call.ts";
import { describeIssues } from "./decode.ts";
import { redactCause, redactHeaders, redactJson } from "./redact.ts";
import type { CallResult, ErrorReply, Success, UnexpectedReply } from "./result.ts";

/** The maximum length of `bodyText`, and of each string in `body`, in UTF-16 code units. */
const BODY_TEXT_LENGTH = 4096;
/** The maximum length of text from outside in a message, in UTF-16 code units. */
const EVENT_LENGTH = 1000;

/** The part of a call that its error describes. */
type CallContext = Pick<Call<unknown>, "operation" | "client" | "settings" | "log">;

/** How a call failed. */
export type FailedCall = Exclude<CallResult<unknown>, Success<unknown>>;

/** Creates the error of a failed call. */
export function errorOf(result: FailedCall, call: CallContext): AnyPlantStoreError {
  switch (result.type) {
    case "error-reply":
      return apiError(result, call);
    case "unexpected-reply":
      return responseError(result, call);
    case "connection-failure": {
      const { cause } = result;
      return new PlantStoreConnectionError({ ...context(call, `failed: ${reasonOf(cause)}`), cause });
    }
    case "token-failure": {
      const cause = redactCause(result.cause, call.log.redact);
      return new PlantStoreTokenError({
        ...context(call, `got no token from the provider: ${reasonOf(cause)}`),
        cause,
      });
    }
    case "timeout": {
      const { timeoutMs } = call.settings;
      return new PlantStoreTimeoutError({ ...context(call, `timed out after ${timeoutMs} ms (timeoutMs)`), timeoutMs });
    }
    case "aborted":
      return new PlantStoreAbortError({ ...context(call, "was aborted"), cause: abortReason(call.settings.signal) });
  }
}

/** Creates the error for an input that violates the contract. */
export function inputError(inputName: string, issues: readonly Issue[]): PlantStoreInputError {
  return new PlantStoreInputError({ issues, message: `The ${inputName} was not sent: ${describeIssues(issues)}` });
}

function apiError(result: ErrorReply, call: CallContext): PlantStoreApiError {
  const { body } = result;
  redactJson(body, call.log.redact, BODY_TEXT_LENGTH);
  return new PlantStoreApiError({
    ...context(call, `returned ${result.reply.status}: ${body.message || "(no message)"}`, result),
    ...replyFields(result, call),
    code: body.error,
    body,
  });
}

function responseError(result: UnexpectedReply, call: CallContext): PlantStoreResponseError {
  const { reply, detail, problem } = result;
  const { redact } = call.log;
  return new PlantStoreResponseError({
    ...context(call, `returned ${redact(detail)}`, result),
    ...replyFields(result, call),
    bodyText: redact(reply.body.text, reply.body.isTruncated, BODY_TEXT_LENGTH),
    reason: problem,
  });
}

function replyFields({ reply, verdict }: ErrorReply | UnexpectedReply, { log }: CallContext) {
  const { retryAfterMs } = verdict;
  const wait = retryAfterMs !== undefined && { retryAfterMs };
  return { status: reply.status, headers: redactHeaders(reply, log.redact), ...wait };
}

function context(
  { operation, client, log }: CallContext,
  event: string,
  reply?: ErrorReply | UnexpectedReply,
): PlantStoreErrorInit {
  const { method, path, unknownOutcome } = operation;
  const { list: attempts, outcome } = log;
  const retryAfterMs = reply?.verdict.retryAfterMs;
  const wait = retryAfterMs === undefined ? "" : ` (Retry-After: ${Math.ceil(retryAfterMs / 1000)} s)`;
  const meaning = outcome === "unknown" ? unknownOutcome : MEANING[outcome];
  const message = `${method} ${client.baseUrl}${path} ${toLine(event)}${wait}; ${meaning}`;
  return { message, attempts, outcome };
}

/** Turns a text into one line of bounded length, without characters that control a terminal or hide others. */
function toLine(text: string): string {
  const start = text.length > EVENT_LENGTH ? `${text.slice(0, EVENT_LENGTH)}…` : text;
  return start
    .replace(/\s+/g, " ")
    .replace(INVISIBLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters, direction marks, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

const MEANING = {
  "not-sent": "the request was not sent",
  rejected: "the service refused it",
};

/** The innermost message, which is the most specific: `fetch failed` and AggregateError hide `connect ECONNREFUSED`. */
function reasonOf(cause: unknown): string {
  let message = String(cause);
  for (let link = cause; link instanceof Error; link = link.cause ?? (link as Partial<AggregateError>).errors?.[0]) {
    message = link.message || message;
  }
  return message;
}

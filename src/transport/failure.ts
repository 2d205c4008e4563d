import type { Issue } from "../checks/schema.ts";
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
      return new PlantStoreConnectionError({ ...context(call, `failed: ${innermostMessage(cause)}`), cause });
    }
    case "token-failure": {
      const cause = redactCause(result.cause, call.log.redact);
      return new PlantStoreTokenError({
        ...context(call, `got no token from the provider: ${innermostMessage(cause)}`),
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
  const { body, reply } = result;
  redactJson(body, call.log.redact, BODY_TEXT_LENGTH);
  const event = `${reply.status}: ${body.message || "(no message)"}`;
  return new PlantStoreApiError({ ...replyContext(call, event, result), code: body.error, body });
}

function responseError(result: UnexpectedReply, call: CallContext): PlantStoreResponseError {
  const { detail, problem, reply } = result;
  const { redact } = call.log;
  return new PlantStoreResponseError({
    ...replyContext(call, redact(detail, false, BODY_TEXT_LENGTH), result),
    bodyText: redact(reply.body.text, reply.body.isTruncated, BODY_TEXT_LENGTH),
    reason: problem,
  });
}

function replyContext(call: CallContext, event: string, { reply, verdict }: ErrorReply | UnexpectedReply) {
  const { retryAfterMs } = verdict;
  const hasWait = retryAfterMs !== undefined;
  const wait = hasWait ? ` (Retry-After: ${Math.ceil(retryAfterMs / 1000)} s)` : "";
  return {
    ...context(call, `returned ${event}`, wait),
    status: reply.status,
    headers: redactHeaders(reply, call.log.redact),
    ...(hasWait && { retryAfterMs }),
  };
}

/** @param suffix - Added to the event, however long that is. */
function context({ operation, client, log }: CallContext, event: string, suffix = ""): PlantStoreErrorInit {
  const { method, path, unknownOutcome } = operation;
  const { list: attempts, outcome } = log;
  const meaning = outcome === "unknown" ? unknownOutcome : MEANING[outcome];
  const message = `${method} ${client.baseUrl}${path} ${toLine(event)}${suffix}; ${meaning}`;
  return { message, attempts, outcome };
}

/**
 * Turns a text into one line of bounded length, without characters that control a terminal or hide others, and without a
 * last period, because the sentence goes on.
 */
function toLine(text: string): string {
  const start = text.length > EVENT_LENGTH ? `${text.slice(0, EVENT_LENGTH)}…` : text;
  return start
    .replace(/\s+/g, " ")
    .replace(/\b\.$/, "")
    .replace(INVISIBLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters, direction marks, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

const MEANING = {
  "not-sent": "the request was not sent",
  rejected: "the service refused it",
};

/** The innermost message, which is the most specific: `fetch failed` and AggregateError hide `connect ECONNREFUSED`. */
function innermostMessage(cause: unknown): string {
  let message = String(cause);
  for (let link = cause; link instanceof Error; link = link.cause ?? (link as Partial<AggregateError>).errors?.[0]) {
    message = link.message || message;
  }
  return message;
}

import { describe } from "../checks/describe.ts";
import { isRecord } from "../checks/objects.ts";
import { redactCause, redactHeaders, redactValue } from "../checks/redaction/redact-values.ts";
import { describeIssues, type Issue } from "../checks/schema.ts";
import { causesOf } from "../checks/thrown.ts";
import {
  type AnyPlantStoreError,
  PlantStoreAbortError,
  PlantStoreApiError,
  PlantStoreConnectionError,
  PlantStoreInputError,
  PlantStoreResponseError,
  PlantStoreTimeoutError,
  PlantStoreTokenError,
} from "../errors.ts";
import { abortReason } from "./abort.ts";
import type { Call } from "./call.ts";
import type { StopReason } from "./deadline.ts";
import { headersOf, type Result } from "./decode.ts";
import type { Reply } from "./response-body.ts";
import type { TokenFailure } from "./tokens.ts";

/** The maximum length of `bodyText`, and of each string in `body`, in UTF-16 code units. */
const BODY_TEXT_LENGTH = 4096;
/** The maximum length of text from outside in a message, in UTF-16 code units. */
const EVENT_LENGTH = 1000;

/** How a call failed; `kind` is that of its error. */
type CallFailure = Exclude<Result<never>, { readonly kind: "success" }> | TokenFailure | { readonly kind: StopReason };

/** Creates the error of a failed call. */
export function toError(failure: CallFailure, call: Call<unknown>): AnyPlantStoreError {
  const { settings, redact } = call;
  switch (failure.kind) {
    case "api": {
      const { error, message } = failure.body;
      const fields = redactValue(failure.body, redact, BODY_TEXT_LENGTH);
      // Kept however many fields come before them.
      const body = { ...fields, error, message: redact(message, BODY_TEXT_LENGTH) };
      const event = `${failure.reply.response.status}: ${body.message || "(no message)"}`;
      return new PlantStoreApiError({ ...replyContext(call, event, failure.reply), code: body.error, body });
    }
    case "response": {
      const { detail, reason, reply, cause } = failure;
      return new PlantStoreResponseError({
        ...replyContext(call, redact(detail, BODY_TEXT_LENGTH), reply),
        bodyText: redact(reply.text, BODY_TEXT_LENGTH, reply.isTruncated),
        reason,
        cause,
      });
    }
    case "connection": {
      const { cause } = failure;
      const event = `failed: ${messageOf(cause)}`;
      return new PlantStoreConnectionError({ ...context(call, event), cause, retryable: call.isRetryable });
    }
    case "token": {
      const cause = redactCause(failure.cause, redact);
      const event = `got no token from the provider: ${messageOf(cause)}`;
      return new PlantStoreTokenError({ ...context(call, event), cause, retryable: failure.retryable });
    }
    case "timeout": {
      const { timeoutMs } = settings;
      return new PlantStoreTimeoutError({ ...context(call, `timed out after ${timeoutMs} ms (timeoutMs)`), timeoutMs });
    }
    case "aborted":
      return new PlantStoreAbortError({ ...context(call, "was aborted"), cause: abortReason(settings.signal) });
  }
}

/** Creates the error for an input that violates the contract. */
export function inputError(inputName: string, issues: readonly Issue[]): PlantStoreInputError {
  return new PlantStoreInputError({ issues, message: `The ${inputName} was not sent: ${describeIssues(issues)}` });
}

function replyContext(call: Call<unknown>, event: string, { response }: Reply) {
  const retryAfterMs = call.exchange?.retryAfterMs;
  const hasWait = retryAfterMs !== undefined;
  const headers = new Headers(redactHeaders(headersOf(response), call.redact));
  // A cookie may be a secret.
  headers.delete("set-cookie");
  const wait = hasWait ? ` (Retry-After: ${Math.ceil(retryAfterMs / 1000)} s)` : "";
  return {
    ...context(call, `returned ${event}`, wait),
    retryable: call.isRetryable,
    status: response.status,
    headers,
    ...(hasWait && { retryAfterMs }),
  };
}

/** @param suffix - Added to the event, however long that is. */
function context({ operation, settings, attempts, outcome }: Call<unknown>, event: string, suffix = "") {
  const { method, path, unknownOutcome } = operation;
  const meaning = outcome === "unknown" ? unknownOutcome : MEANING[outcome];
  const message = `${method} ${settings.baseUrl}${path} ${toLine(event)}${suffix}; ${meaning}`;
  return { message, attempts, outcome };
}

const MEANING = {
  "not-sent": "the request was not sent",
  rejected: "the service refused it",
};

/**
 * Turns a text into one line of bounded length, without characters that control a terminal or hide others, and without a
 * last period, because the sentence goes on.
 */
function toLine(text: string): string {
  const start = text.length > EVENT_LENGTH ? `${text.slice(0, EVENT_LENGTH)}…` : text;
  const line = start.replace(/\s+/g, " ").replace(/\b\.$/, "");
  return line.replace(INVISIBLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Control characters, direction marks, and lone surrogates. */
const INVISIBLE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]/gu;

/** Describes an object that was thrown, such as an OAuth library does: `error: invalid_grant, status: 400`. */
function describeThrown(thrown: Record<string, unknown>): string {
  const fields = Object.entries(thrown).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : describe(value)}`,
  );
  return typeof thrown.message === "string" ? thrown.message : fields.join(", ");
}

/** The innermost message, which is the most specific: `fetch failed` and AggregateError hide `connect ECONNREFUSED`. */
function messageOf(cause: unknown): string {
  if (isRecord(cause) && !(cause instanceof Error)) return describeThrown(cause);
  if (!(cause instanceof Error)) return typeof cause === "string" ? cause : describe(cause);
  let message = cause.name;
  for (const link of causesOf(cause)) {
    if (!(link instanceof Error)) break;
    message = link.message || message;
  }
  return message;
}

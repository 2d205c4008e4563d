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
import type { Call } from "./call.ts";
import { describeIssues } from "./decode.ts";
import { redactCause, redactHeaders, redactJson } from "./redact.ts";
import type { CallResult, ErrorReply, Success, UnexpectedReply } from "./result.ts";

/** So much of a body is kept on an error, in UTF-16 code units. */
const BODY_TEXT_LENGTH = 4096;

/** How a call failed. */
export type FailedCall = Exclude<CallResult<unknown>, Success<unknown>>;

/** The error of a call that failed. */
export function errorOf(result: FailedCall, call: Call<unknown>): AnyPlantStoreError {
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
      return new PlantStoreTokenError({ ...context(call, `has no token: ${reasonOf(cause)}`), cause });
    }
    case "timeout": {
      const { timeoutMs } = call.settings;
      return new PlantStoreTimeoutError({ ...context(call, `took longer than ${timeoutMs} ms`), timeoutMs });
    }
    case "aborted":
      return new PlantStoreAbortError({ ...context(call, "was aborted"), cause: call.settings.signal?.reason });
  }
}

/** The error of an input that breaks the contract. */
export function inputError(inputName: string, issues: readonly Issue[]): PlantStoreInputError {
  return new PlantStoreInputError({ issues, message: `The ${inputName} was not sent: ${describeIssues(issues)}` });
}

function apiError(result: ErrorReply, call: Call<unknown>): PlantStoreApiError {
  const { body } = result;
  redactJson(body, call.log.redact);
  return new PlantStoreApiError({
    ...context(call, ""),
    ...replyFields(result, call),
    message: body.message,
    code: body.error,
    body,
  });
}

function responseError(result: UnexpectedReply, call: Call<unknown>): PlantStoreResponseError {
  const { reply, detail, problem } = result;
  const { redact } = call.log;
  return new PlantStoreResponseError({
    ...context(call, `was answered ${reply.status} with ${redact(detail)}`),
    ...replyFields(result, call),
    bodyText: redact(reply.body.text, reply.body.isTruncated, BODY_TEXT_LENGTH),
    reason: problem,
  });
}

function replyFields({ reply, verdict }: ErrorReply | UnexpectedReply, { log }: Call<unknown>) {
  const { retryAfterMs } = verdict;
  const wait = retryAfterMs === undefined ? undefined : { retryAfterMs };
  return { status: reply.status, headers: redactHeaders(reply.headers, log.redact), ...wait };
}

function context({ operation, client, log }: Call<unknown>, event: string): PlantStoreErrorInit {
  const { method, path, unknownOutcome } = operation;
  const { list: attempts, outcome } = log;
  const meaning = outcome === "unknown" ? unknownOutcome : MEANING[outcome];
  return { message: `${method} ${client.baseUrl}${path} ${event}; ${meaning}`, attempts, outcome };
}

const MEANING = {
  "not-sent": "the request was not sent",
  rejected: "the service refused it",
};

/** The innermost message says the most: `fetch failed` hides `connect ECONNREFUSED`, and several addresses hide it too. */
function reasonOf(cause: unknown): string {
  let message = String(cause);
  for (let link = cause; link instanceof Error; link = link.cause ?? (link as Partial<AggregateError>).errors?.[0]) {
    message = link.message || message;
  }
  return message;
}

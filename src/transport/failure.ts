import { CREATE_PLANT } from "../contract/operations.ts";
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
import { describeIssues } from "./decode.ts";
import { ConnectionFailure } from "./exchange.ts";
import { type Redact, redactCause, redactHeaders, redactJson } from "./redact.ts";
import type { Call, Created, Ended, Refused } from "./retry.ts";

/** So much of a body is kept on an error, in UTF-16 code units. */
const BODY_TEXT_LENGTH = 4096;

const MEANING = {
  "not-sent": "the request was not sent",
  rejected: "the service refused it",
  unknown: "the plant may exist",
};

type Context = Pick<Call, "log" | "url">;

/** The error of a call whose last attempt gave no plant. */
export function failureOf(ended: Exclude<Ended, Created>, call: Context): AnyPlantStoreError {
  const { redact } = call.log;
  if ("reply" in ended) return replyFailure(ended, call, redact);
  if (ended instanceof ConnectionFailure) {
    const { cause } = ended;
    return new PlantStoreConnectionError({ ...context(call, `failed: ${reasonOf(cause)}`), cause });
  }
  const cause = redactCause(ended.cause, redact);
  return new PlantStoreTokenError({ ...context(call, `has no token: ${reasonOf(cause)}`), cause });
}

/** The error of a call that did not settle in time. */
export function timeoutFailure(call: Context, timeoutMs: number): PlantStoreTimeoutError {
  return new PlantStoreTimeoutError({ ...context(call, `took longer than ${timeoutMs} ms`), timeoutMs });
}

/** The error of a call that its caller's signal ended. */
export function abortFailure(call: Context, reason: unknown): PlantStoreAbortError {
  return new PlantStoreAbortError({ ...context(call, "was aborted"), cause: reason });
}

/** The error of a plant that breaks the contract. */
export function inputFailure(issues: readonly Issue[]): PlantStoreInputError {
  return new PlantStoreInputError({ issues, message: `The plant was not sent: ${describeIssues(issues)}` });
}

function replyFailure({ reply, refusal, retryAfterMs }: Refused, call: Context, redact: Redact): AnyPlantStoreError {
  const { status, body } = reply;
  const wait = retryAfterMs === undefined ? undefined : { retryAfterMs };
  const answer = { status, headers: redactHeaders(reply.headers, redact), ...wait };
  if ("body" in refusal) {
    redactJson(refusal.body, redact);
    const { error: code, message } = refusal.body;
    return new PlantStoreApiError({ ...context(call, ""), ...answer, message, code, body: refusal.body });
  }
  return new PlantStoreResponseError({
    ...context(call, `was answered ${status} with ${redact(refusal.detail)}`),
    ...answer,
    bodyText: redact(body.text, body.cut).slice(0, BODY_TEXT_LENGTH),
    reason: refusal.problem,
  });
}

function context({ log, url }: Context, event: string): PlantStoreErrorInit {
  const { list: attempts, outcome } = log;
  return { message: `${CREATE_PLANT.method} ${url} ${event}; ${MEANING[outcome]}`, attempts, outcome };
}

/** The innermost message says the most: `fetch failed` hides `connect ECONNREFUSED`, and several addresses hide it too. */
function reasonOf(cause: unknown): string {
  let message = String(cause);
  for (let link = cause; link instanceof Error; link = link.cause ?? (link as Partial<AggregateError>).errors?.[0]) {
    message = link.message || message;
  }
  return message;
}

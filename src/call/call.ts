import type { Validation } from "../checks/schema.ts";
import { Attempt, type FailedAttempt } from "./attempt.ts";
import type { AttemptLog, AttemptObserver } from "./attempt-log.ts";
import type { Clock } from "./clock.ts";
import { Deadline, type Stopped } from "./deadline.ts";
import type { ErrorReply, Success, UnexpectedReply } from "./decode.ts";
import type { ApiFetch, ApiReply } from "./exchange.ts";
import { toError } from "./to-error.ts";
import type { IssuedToken, TokenAnswer, TokenFailure, TokenSource } from "./tokens.ts";
import { type Backoff, delayBefore, type Verdict } from "./verdict.ts";

/**
 * Sends a request: the global `fetch`, or a function with its signature.
 *
 * It is called with a URL and an `init` of method, headers, body, signal and `redirect: "manual"`.
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * When a request may be retried.
 *
 * - `safe`: if the service provably did not process it (RFC 9110, section 9.2.2): the connection failed before it was
 *   sent, or the service refused it (429, or 503 with Retry-After and the contract's Error).
 * - `idempotent`: also if it may have been sent and no response arrived, and after 408, 500, 502, 503 and 504. The
 *   caller states with it that a second request for the same plant is harmless.
 */
export type RetryPolicy = "safe" | "idempotent";

/** Describes one operation of the service. */
export interface Operation<Api, Input, ValidInput, Output> {
  readonly method: string;
  readonly path: string;
  /** Its own headers, by lower-case name: the media type of the request body, if it has one. */
  readonly headers: { readonly "content-type"?: string };
  /** The name of the input in messages. */
  readonly inputName: string;
  /** The meaning of an unknown outcome, for messages. */
  readonly unknownOutcome: string;
  /** Whether a second request is harmless, so that every network failure may be retried. */
  readonly isIdempotent: boolean;
  /** Validates the input; the resulting value is sent. */
  readonly validateInput: (input: Input) => Validation<ValidInput>;
  /** Checks the body of a 2xx. */
  readonly validateOutput: (body: unknown) => Validation<Output>;
  /** Sends a request through openapi-fetch, which ties path, method and body to the contract. */
  send(api: Api, input: ValidInput, fetch: ApiFetch): Promise<ApiReply>;
}

/** The validated options of a client or a call, with defaults applied. */
export interface Settings {
  readonly baseUrl: string;
  readonly tokens: TokenSource;
  /** `undefined` for the global one. */
  readonly fetch: Fetch | undefined;
  readonly maxResponseBytes: number;
  readonly backoff: Backoff;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly retry: RetryPolicy;
  /** Called with each attempt: the client's observer first, then the call's. */
  readonly observers: readonly AttemptObserver[];
  /** Keyed by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
}

/** One call, and everything that its steps need. */
export interface Call<Output> {
  // biome-ignore lint/suspicious/noExplicitAny: whichever operation it is, its input has been validated.
  readonly operation: Operation<any, any, any, Output>;
  /** The HTTP layer that the operation sends through. */
  readonly api: unknown;
  /** The validated input of the operation, which each attempt sends anew. */
  readonly input: unknown;
  readonly settings: Settings;
  readonly log: AttemptLog;
  readonly clock: Clock;
  /** Whether a second request is harmless, by the operation or by the caller's word. */
  readonly isIdempotent: boolean;
}

/** No response, or an incomplete one. */
interface ConnectionFailure {
  readonly kind: "connection";
  readonly cause: unknown;
}

/** How a call failed; `kind` is that of its error. */
export type Failure =
  | ((ErrorReply | UnexpectedReply | ConnectionFailure) & { readonly verdict: Verdict })
  | TokenFailure
  | Stopped;

/**
 * Sends the request of a call, and retries it only if the policy allows that, until it ends or is stopped.
 *
 * @param finish - Converts the success to the value of the promise.
 * @throws The error of the call.
 */
export function runCall<Output, Returned>(
  call: Call<Output>,
  finish: (success: Success<Output>, log: AttemptLog) => Returned,
): Promise<Returned> {
  const { settings, clock, log } = call;
  const deadline = new Deadline(clock, settings.timeoutMs, settings.signal, log);
  return deadline.run(start<Output>, call).then(
    (ended) => {
      deadline.release();
      if (ended.kind === "success") return finish(ended, log);
      // Created here, so that its stack trace leads to the caller.
      throw toError(ended, call);
    },
    (error) => {
      deadline.release();
      throw error;
    },
  );
}

/** Gets a token and sends the first attempt. */
function start<Output>(call: Call<Output>, deadline: Deadline): Promise<Success<Output> | Failure> {
  const token = call.settings.tokens.get(deadline);
  return "then" in token
    ? deadline.wait(token).then((issued) => sendWith(issued, call, deadline))
    : sendWith(token, call, deadline);
}

/** Sends an attempt, and others after a failure if they are allowed. Rejects only if the call is stopped. */
function sendWith<Output>(
  token: TokenAnswer,
  call: Call<Output>,
  deadline: Deadline,
  retries = 0,
  mayReplaceToken = true,
): Promise<Success<Output> | Failure> {
  if (token.kind === "token") return Promise.resolve(token);
  deadline.throwIfStopped();
  const { operation, api, input, log } = call;
  const attempt = new Attempt(call, token, deadline);
  const after = (result: Success<Output> | FailedAttempt) => {
    if (result.kind !== "success") return afterFailure(result, token, call, deadline, retries, mayReplaceToken);
    log.decide();
    return result;
  };
  log.begin(token);
  return operation
    .send(api, input, (request) => attempt.send(request))
    .then(
      (parsed) => after(attempt.judge("data" in parsed ? parsed.data : parsed.error)),
      (error) => after(attempt.judgeError(error)),
    );
}

async function afterFailure<Output>(
  failure: FailedAttempt,
  token: IssuedToken,
  call: Call<Output>,
  deadline: Deadline,
  retries: number,
  mayReplaceToken: boolean,
): Promise<Success<Output> | Failure> {
  const { settings, log } = call;
  const isUnauthorized = failure.kind !== "connection" && failure.reply.status === 401;
  if (isUnauthorized && mayReplaceToken) {
    deadline.throwIfStopped();
    const replaced = await deadline.wait(settings.tokens.get(deadline, token));
    if (isOther(replaced, token)) {
      log.decide(replaced.kind === "issued" ? 0 : undefined);
      return sendWith(replaced, call, deadline, retries, false);
    }
  }
  const delayMs = delayOf(call, failure.verdict, retries, deadline);
  log.decide(delayMs);
  if (delayMs === undefined) return failure;
  await deadline.wait(deadline.sleep(delayMs));
  return sendWith(token, call, deadline, retries + 1, mayReplaceToken && !isUnauthorized);
}

/** Whether the answer to a 401 is anything but the rejected token. */
function isOther(answer: TokenAnswer, rejected: IssuedToken): boolean {
  return answer.kind === "token" || answer.value !== rejected.value;
}

/** The wait before the next attempt; undefined if a retry is not allowed, or would exceed the deadline. */
function delayOf(call: Call<unknown>, verdict: Verdict, retries: number, deadline: Deadline): number | undefined {
  const { settings, clock } = call;
  if (retries >= settings.maxRetries || !verdict.retryable) return undefined;
  const delayMs = delayBefore(retries, verdict.retryAfterMs, settings.backoff, clock);
  return delayMs < deadline.remainingMs() ? delayMs : undefined;
}

import { Attempt } from "./attempt.ts";
import type { AttemptLog } from "./attempt-log.ts";
import { Deadline } from "./deadline.ts";
import type { Success } from "./decode.ts";
import type { AttemptFailure, Call, CallFailure } from "./operation.ts";
import { toError } from "./to-error.ts";
import type { IssuedToken, TokenAnswer } from "./tokens.ts";
import { delayBefore, type Verdict } from "./verdict.ts";

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
function start<Output>(call: Call<Output>, deadline: Deadline): Promise<Success<Output> | CallFailure> {
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
): Promise<Success<Output> | CallFailure> {
  if (token.kind === "token") return Promise.resolve(token);
  deadline.throwIfStopped();
  const { operation, api, input, log } = call;
  const attempt = new Attempt(call, token, deadline);
  const after = (result: Success<Output> | AttemptFailure) => {
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
  failure: AttemptFailure,
  token: IssuedToken,
  call: Call<Output>,
  deadline: Deadline,
  retries: number,
  mayReplaceToken: boolean,
): Promise<Success<Output> | CallFailure> {
  const { settings, log } = call;
  const isUnauthorized = failure.kind !== "connection" && failure.reply.status === 401;
  if (isUnauthorized && mayReplaceToken) {
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
  return sendWith(token, call, deadline, retries + 1, mayReplaceToken);
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

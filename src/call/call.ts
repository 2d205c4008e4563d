import { isPromise } from "../checks/describe.ts";
import { sendAttempt } from "./attempt.ts";
import type { AttemptLog, Exchange } from "./attempt-log.ts";
import { Deadline } from "./deadline.ts";
import type { Success } from "./decode.ts";
import type { Call } from "./operation.ts";
import { toError } from "./to-error.ts";
import { delayBefore, type Verdict } from "./verdict.ts";

/**
 * Runs a call until it ends: gets a token, sends an attempt, judges it, and sends another one only if the policy allows it.
 *
 * @param finish - Converts the success to the value of the promise.
 * @throws The error of the call. It is created here, so that its stack trace leads to the caller.
 */
export async function runCall<Output, Returned>(
  call: Call<Output>,
  finish: (success: Success<Output>, log: AttemptLog) => Returned,
): Promise<Returned> {
  const { settings, log } = call;
  const deadline = new Deadline(settings.clock, settings.timeoutMs, settings.signal);
  let exchange: Exchange | undefined;
  try {
    const issued = settings.tokens.get(deadline);
    let token = isPromise(issued) ? await deadline.wait(issued) : issued;
    let mayReplaceToken = true;
    let retries = 0;
    for (;;) {
      if (deadline.isOver) await deadline.end();
      if (token.kind === "token") throw toError(token, call);
      exchange = log.begin(token, settings.clock);
      deadline.request = exchange;
      const result = await deadline.wait(sendAttempt(call, exchange, deadline));
      if (result.kind === "success") {
        log.add(exchange);
        deadline.throwIfStopped();
        deadline.release();
        return finish(result, log);
      }
      const is401 = result.kind !== "connection" && result.reply.response.status === 401;
      if (is401 && mayReplaceToken && !deadline.isOver) {
        const replacement = await deadline.wait(settings.tokens.get(deadline, token));
        if (replacement.kind === "token" || replacement.value !== token.value) {
          log.add(exchange, replacement.kind === "token" ? undefined : 0);
          token = replacement;
          mayReplaceToken = false;
          continue;
        }
      }
      const delayMs = delayOf(call, result.verdict, retries, deadline);
      log.add(exchange, delayMs);
      deadline.throwIfStopped();
      if (delayMs === undefined) throw toError(result, call);
      await deadline.sleep(delayMs);
      retries++;
    }
  } catch (error) {
    deadline.release();
    if (!deadline.stopped) throw error;
    log.close(exchange);
    throw toError({ kind: deadline.stopped }, call);
  }
}

/** The wait before the next attempt; undefined if a retry is not allowed, or would exceed the deadline. */
function delayOf(call: Call<unknown>, verdict: Verdict, retries: number, deadline: Deadline): number | undefined {
  const { maxRetries, backoff, clock } = call.settings;
  if (retries >= maxRetries || !verdict.retryable) return undefined;
  const delayMs = delayBefore(retries, verdict.retryAfterMs, backoff, clock);
  return delayMs < deadline.remainingMs() ? delayMs : undefined;
}

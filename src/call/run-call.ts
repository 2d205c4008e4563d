import { isPromise } from "../checks/describe.ts";
import { sendAttempt } from "./attempt.ts";
import type { Call, Exchange } from "./call.ts";
import { Deadline } from "./deadline.ts";
import { toError } from "./to-error.ts";

/**
 * Runs a call until it ends: gets a token, sends an attempt, judges it, and sends another one only if the policy allows it.
 *
 * @param finish - Converts the success to the value of the promise.
 * @throws The error of the call. It is created here, so that its stack trace leads to the caller.
 */
export async function runCall<Output, Returned>(
  call: Call<Output>,
  finish: (value: Output, response: Response, call: Call<Output>) => Returned,
): Promise<Returned> {
  const { settings } = call;
  const deadline = new Deadline(settings.clock, settings.timeoutMs, settings.signal);
  try {
    const issued = settings.tokens.get(deadline);
    let token = isPromise(issued) ? await deadline.wait(issued) : issued;
    let mayReplaceToken = true;
    let retries = 0;
    for (;;) {
      if (deadline.isOver) await deadline.end();
      if (token.kind === "token") throw toError(token, call);
      const exchange = call.begin(token);
      deadline.request = exchange;
      const result = await deadline.wait(sendAttempt(call, exchange, deadline));
      if (result.kind === "success") {
        call.add(exchange);
        deadline.throwIfStopped();
        deadline.release();
        return finish(result.value, result.response, call);
      }
      const is401 = result.kind !== "connection" && result.reply.response.status === 401;
      if (is401 && mayReplaceToken && !deadline.isOver) {
        const replacement = await deadline.wait(settings.tokens.get(deadline, token));
        if (replacement.kind === "token" || replacement.value !== token.value) {
          call.add(exchange, replacement.kind === "token" ? undefined : 0);
          token = replacement;
          mayReplaceToken = false;
          continue;
        }
      }
      const delayMs = delayAfter(exchange, retries, call, deadline);
      call.add(exchange, delayMs);
      deadline.throwIfStopped();
      if (delayMs === undefined) throw toError(result, call);
      await deadline.sleep(delayMs);
      retries++;
    }
  } catch (error) {
    deadline.release();
    if (!deadline.stopped) throw error;
    call.close();
    throw toError({ kind: deadline.stopped }, call);
  }
}

/** If the server asks for a longer wait, the call fails instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * The wait before the next attempt in milliseconds: Retry-After as a minimum, plus full jitter, so that many clients do
 * not retry at the same moment. Undefined if a retry is not allowed, or would exceed the deadline.
 *
 * @param retries - The number of retries so far.
 */
function delayAfter(
  { retryAfterMs = 0 }: Exchange,
  retries: number,
  call: Call<unknown>,
  deadline: Deadline,
): number | undefined {
  const { maxRetries, backoff, clock } = call.settings;
  if (retries >= maxRetries || !call.isRetryable || retryAfterMs > MAX_RETRY_AFTER_MS) return undefined;
  const jitterMs = clock.random() * Math.min(backoff.maxMs, backoff.initialMs * 2 ** retries);
  const delayMs = retryAfterMs + jitterMs;
  return delayMs < deadline.remainingMs() ? delayMs : undefined;
}

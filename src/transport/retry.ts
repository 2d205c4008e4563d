import { attempt } from "./attempt.ts";
import { delayBefore } from "./backoff.ts";
import type { Call, SendRequest } from "./call.ts";
import { ABORTED, type SendResult, type Stopped, type Success, type TokenFailure } from "./result.ts";
import { type Scope, sleep } from "./scope.ts";
import { isRefusal } from "./verdict.ts";

/** Sends a request, and sends it again only where the policy allows it. It rejects only if the call was stopped. */
export async function sendWithRetry<Output>(
  call: Call<Output>,
  send: SendRequest,
  scope: Scope,
): Promise<SendResult<Output> | TokenFailure | Stopped> {
  const { log, clock, pacing } = call;
  const { tokens } = call.client;
  let mayReplaceToken = true;
  let retries = 0;
  let last: SendResult<Output> | undefined;
  const issued = tokens.issue(scope);
  let token = issued instanceof Promise ? await issued : issued;
  for (;;) {
    if (token.type === "token-failure") {
      log.decide();
      return token;
    }
    if (pacing?.mayStart() === false) return last ?? ABORTED;
    const result = await attempt(call, send, token.value, scope);
    last = result;
    if (mayReplaceToken && isUnauthorized(result)) {
      mayReplaceToken = false;
      scope.signal.throwIfAborted();
      const rejected = token.value;
      token = await tokens.replace(token, scope);
      if (token.type === "token-failure") continue;
      if (token.value !== rejected) {
        log.decide(0);
        continue;
      }
    }
    const delayMs = result.type === "success" ? undefined : delayOf(call, result, retries, scope);
    log.decide(delayMs);
    if (delayMs === undefined) return result;
    await sleep(delayMs, scope, clock);
    retries++;
  }
}

type FailedSend = Exclude<SendResult<unknown>, Success<unknown>>;

function isUnauthorized(result: SendResult<unknown>): boolean {
  return result.type !== "connection-failure" && result.reply.status === 401;
}

/** The wait before the next attempt; nothing where there must be none, or where no time is left for it. */
function delayOf(call: Call<unknown>, result: FailedSend, retries: number, scope: Scope): number | undefined {
  const { operation, settings, client, clock } = call;
  const { retryable, retryAfterMs } = result.verdict;
  if (call.pacing && isRefusal(result)) return undefined;
  if (retries >= settings.maxRetries || retryable === "never") return undefined;
  if (retryable === "idempotent" && !operation.isRepeatable && settings.retry !== "idempotent") return undefined;
  const delayMs = delayBefore(retries, retryAfterMs, client.backoff, clock);
  return delayMs !== undefined && delayMs < scope.remainingMs() ? delayMs : undefined;
}

import { attempt } from "./attempt.ts";
import { delayBefore } from "./backoff.ts";
import type { IssuedToken, TokenResult } from "./authorize.ts";
import type { Call } from "./call.ts";
import { ABORTED, type SendResult, type Stopped, type Success, type TokenFailure } from "./result.ts";
import { type Scope, sleep } from "./scope.ts";
import { isRefusal } from "./verdict.ts";

/** Sends a request, and sends it again only where the policy allows it. It rejects only if the call was stopped. */
export async function sendWithRetry<Output>(
  call: Call<Output>,
  scope: Scope,
): Promise<SendResult<Output> | TokenFailure | Stopped> {
  const retries = new Retries(call, scope);
  const issued = call.client.tokens.issue(scope);
  let token = issued instanceof Promise ? await issued : issued;
  let last: SendResult<Output> | undefined;
  for (;;) {
    if (token.type === "token-failure") {
      call.log.decide();
      return token;
    }
    if (call.pacing?.mayStart() === false) return last ?? ABORTED;
    last = await attempt(call, token.value, scope);
    if (last.type === "success") {
      call.log.decide();
      return last;
    }
    const next = await retries.tokenAfter(last, token);
    if (!next) return last;
    token = next;
  }
}

/** Decides what follows the failed attempts of one call. */
class Retries {
  readonly #call: Call<unknown>;
  readonly #scope: Scope;
  #count = 0;
  #mayReplaceToken = true;

  constructor(call: Call<unknown>, scope: Scope) {
    this.#call = call;
    this.#scope = scope;
  }

  /** Waits as long as it takes, and gives the token for the next attempt; nothing if there must be none. */
  async tokenAfter(result: FailedSend, token: IssuedToken): Promise<TokenResult | undefined> {
    const { log, client, clock } = this.#call;
    let next: IssuedToken = token;
    if (this.#mayReplaceToken && isUnauthorized(result)) {
      this.#mayReplaceToken = false;
      this.#scope.signal.throwIfAborted();
      const replaced = await client.tokens.replace(token, this.#scope);
      if (replaced.type === "token-failure") return replaced;
      if (replaced.value !== token.value) {
        log.decide(0);
        return replaced;
      }
      next = replaced;
    }
    const delayMs = delayOf(this.#call, result, this.#count, this.#scope);
    log.decide(delayMs);
    if (delayMs === undefined) return undefined;
    await sleep(delayMs, this.#scope, clock);
    this.#count++;
    return next;
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

import { socketTurn } from "#platform";
import { delayBefore } from "./backoff.ts";
import type { Call } from "./call.ts";
import { Exchange } from "./exchange.ts";
import { ABORTED, type CallResult, type SendResult, type Success } from "./result.ts";
import { type Scope, sleep, throwIfAborted } from "./scope.ts";
import type { IssuedToken, TokenResult } from "./token-source.ts";

/** Sends a request, and retries it only if the policy allows that. Rejects only if the call was stopped. */
export function sendWithRetry<Output>(call: Call<Output>, scope: Scope): Promise<CallResult<Output>> {
  const token = call.client.tokens.issue(scope);
  const loop = new RetryLoop(call, scope);
  // Not `instanceof`: zone.js replaces the global Promise, but async functions return the runtime's own.
  return "then" in token ? token.then((issued) => loop.resume(issued)) : loop.next(token);
}

/** Sends the attempts of one call. Only the steps after a failure are async, because most calls have none. */
class RetryLoop<Output> {
  readonly #call: Call<Output>;
  readonly #scope: Scope;
  #retries: number;
  #mayReplaceToken = true;
  #last: SendResult<Output> | undefined;

  constructor(call: Call<Output>, scope: Scope) {
    this.#call = call;
    this.#scope = scope;
    this.#retries = call.settings.pacing?.retries ?? 0;
  }

  /**
   * Goes on after a wait. If the machine was asleep, the deadline may have passed: lets its timer run first. Chromium may
   * run it after a timer that was set later.
   */
  async resume(token: TokenResult): Promise<CallResult<Output>> {
    while (this.#scope.remainingMs() <= 0) await sleep(10, this.#scope);
    return this.next(token);
  }

  next(token: TokenResult): Promise<CallResult<Output>> {
    const { operation, api, input, log, settings } = this.#call;
    if (token.type === "token-failure") {
      log.decide();
      return Promise.resolve(token);
    }
    if (settings.pacing?.mayStart(this.#retries) === false) return Promise.resolve(this.#last ?? ABORTED);
    throwIfAborted(this.#scope.signal);
    log.begin(token);
    const exchange = new Exchange(this.#call, token.value, this.#scope);
    const parsed = operation.send(api, input, (request) => exchange.send(request));
    return parsed.then(
      (reply) => this.#after(exchange.judge(reply), token),
      (error) => this.#after(exchange.judgeError(error), token),
    );
  }

  #after(result: SendResult<Output>, token: IssuedToken): CallResult<Output> | Promise<CallResult<Output>> {
    if (result.type !== "success") return this.#afterFailure(result, token);
    this.#call.log.decide();
    return result;
  }

  async #afterFailure(result: SendResult<Output> & FailedSend, token: IssuedToken): Promise<CallResult<Output>> {
    const { log, client } = this.#call;
    this.#last = result;
    if (result.type === "connection-failure") await socketTurn(log.watch);
    let next = token;
    const isUnauthorized = result.type !== "connection-failure" && result.reply.status === 401;
    if (isUnauthorized && this.#mayReplaceToken) {
      this.#mayReplaceToken = false;
      throwIfAborted(this.#scope.signal);
      const replaced = await client.tokens.replace(token, this.#scope);
      if (replaced.type === "token-failure") return this.next(replaced);
      next = replaced;
    }
    const isNew = next.value !== token.value;
    const delayMs = isNew ? 0 : delayOf(this.#call, result, this.#retries, this.#scope);
    log.decide(delayMs);
    if (delayMs === undefined) return result;
    if (!isNew) {
      this.#retries++;
      await sleep(delayMs, this.#scope);
    }
    return this.resume(next);
  }
}

type FailedSend = Exclude<SendResult<unknown>, Success<unknown>>;

/** The wait before the next attempt; undefined if a retry is not allowed, or would exceed the deadline. */
function delayOf(call: Call<unknown>, result: FailedSend, retries: number, scope: Scope): number | undefined {
  const { operation, settings, client, clock } = call;
  const { retryable, retryAfterMs } = result.verdict;
  // A refusal is up to the caller that paces the call.
  if (settings.pacing && retryable === "safe" && result.type !== "connection-failure") return undefined;
  if (retries >= settings.maxRetries || retryable === "never") return undefined;
  if (retryable === "idempotent" && !operation.isRepeatable && settings.retry !== "idempotent") return undefined;
  const delayMs = delayBefore(retries, retryAfterMs, client.backoff, clock);
  return delayMs < scope.remainingMs() ? delayMs : undefined;
}

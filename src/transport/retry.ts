import type { NewPlant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";
import type { AttemptLog } from "./attempts.ts";
import { TokenFailure, type TokenSource } from "./authorize.ts";
import { delayBefore, parseRetryAfter } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { type Scope, sleep } from "./deadline.ts";
import { type Decoded, decodeReply } from "./decode.ts";
import { ConnectionFailure, isSuccess, type Reply, type Send } from "./exchange.ts";
import { codeOf, proofOf } from "./proof.ts";

/**
 * When a POST may be sent again.
 *
 * - `safe`: where it is proven that the service did not process it, or where the service says so (429, 503 with
 *   Retry-After). RFC 9110, section 9.2.2.
 * - `idempotent`: the caller's own word that a second POST of the same plant does no harm. Also after any other failure
 *   of the network, and after 408, 500, 502, 503 and 504.
 */
export type RetryPolicy = "safe" | "idempotent";

/** How the last attempt of a call ended: with a reply and what it says, or without one. */
export type Ended = Answered | ConnectionFailure | TokenFailure;

/** A reply, with what it says. */
export type Answered = { readonly reply: Reply; readonly retryAfterMs?: number | undefined } & Decoded;

/** One call, as the steps of the transport see it. */
export interface Call {
  readonly url: string;
  readonly plant: NewPlant;
  readonly headers: Readonly<Record<string, string>>;
  readonly tokens: TokenSource;
  readonly retry: RetryPolicy;
  readonly maxRetries: number;
  readonly log: AttemptLog;
  readonly clock: Clock;
  readonly send: Send;
}

/** Which policies allow to send a request again after a failure. */
type Retryable = "never" | "idempotent" | "safe";

const TRANSIENT = new Set([408, 500, 502, 503, 504]);

/** Sends a plant, and sends it again only where the policy allows it. It rejects only when the call was stopped. */
export async function sendWithRetry(call: Call, scope: Scope): Promise<Ended> {
  try {
    return await attempts(call, scope);
  } catch (error) {
    if (!(error instanceof TokenFailure)) throw error;
    call.log.decide();
    return error;
  }
}

async function attempts(call: Call, scope: Scope): Promise<Ended> {
  const { log, clock, tokens } = call;
  let token = await tokens.issue(scope);
  let mayReplaceToken = true;
  let retries = 0;
  for (;;) {
    const { ended, retryable } = await attempt(call, token.value, scope);
    if (mayReplaceToken && "reply" in ended && ended.reply.status === 401) {
      mayReplaceToken = false;
      const fresh = await tokens.replace(token, scope);
      if (fresh.value !== token.value) {
        log.decide(0);
        token = fresh;
        continue;
      }
    }
    const delayMs = delayOf(call, ended, retryable, retries, scope);
    log.decide(delayMs);
    if (delayMs === undefined) return ended;
    await sleep(delayMs, scope, clock);
    retries++;
  }
}

async function attempt(call: Call, token: string, scope: Scope): Promise<{ ended: Ended; retryable: Retryable }> {
  const { log, clock, plant, headers } = call;
  scope.signal.throwIfAborted();
  log.begin(token);
  try {
    const reply = await call.send(plant, { token, headers, scope, onStatus: (status) => log.arrived(status) });
    const decoded = decodeReply(reply);
    if ("plant" in decoded) {
      log.end("ok", "created");
      return { ended: { reply, ...decoded }, retryable: "never" };
    }
    const retryAfterMs = parseRetryAfter(reply.headers.get("retry-after"), clock);
    const { outcome, retryable } = judgeStatus(reply.status, retryAfterMs);
    log.end(isSuccess(reply.status) ? "body" : "status", outcome);
    return { ended: { reply, retryAfterMs, ...decoded }, retryable };
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const { outcome, retryable } = judgeConnection(error);
    log.end(error.status === undefined ? "network" : "body", outcome, codeOf(error.cause));
    return { ended: error, retryable };
  }
}

function judgeStatus(status: number, retryAfterMs: number | undefined): { outcome: Outcome; retryable: Retryable } {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined))
    return { outcome: "rejected", retryable: "safe" };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: "idempotent" };
  return { outcome: status >= 400 && status < 500 ? "rejected" : "unknown", retryable: "never" };
}

function judgeConnection({ cause, status }: ConnectionFailure): { outcome: Outcome; retryable: Retryable } {
  if (status !== undefined) return { outcome: "unknown", retryable: TRANSIENT.has(status) ? "idempotent" : "never" };
  const proof = proofOf(cause);
  if (proof === "nothing") return { outcome: "unknown", retryable: "idempotent" };
  return { outcome: "not-sent", retryable: proof === "unsent" ? "safe" : "never" };
}

/** The wait before the next attempt; nothing where there must be none, or where no time is left for it. */
function delayOf(call: Call, ended: Ended, retryable: Retryable, retries: number, scope: Scope): number | undefined {
  if (retries >= call.maxRetries || retryable === "never") return undefined;
  if (retryable === "idempotent" && call.retry !== "idempotent") return undefined;
  const delayMs = delayBefore(retries, "reply" in ended ? ended.retryAfterMs : undefined, call.clock);
  return delayMs !== undefined && delayMs < scope.remainingMs() ? delayMs : undefined;
}

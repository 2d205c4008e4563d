import type { NewPlant, Plant } from "../contract/plant.ts";
import type { Outcome } from "../errors.ts";
import type { AttemptLog } from "./attempts.ts";
import { TokenFailure, type TokenSource } from "./authorize.ts";
import { delayBefore, parseRetryAfter } from "./backoff.ts";
import type { Clock } from "./clock.ts";
import { type Scope, sleep } from "./deadline.ts";
import { decodeReply, isSuccess, type Refusal } from "./decode.ts";
import { ConnectionFailure, type Reply, type Send } from "./exchange.ts";
import { codeOf, proofOf } from "./proof.ts";
import { redactCause } from "./redact.ts";

/**
 * When a POST may be sent again.
 *
 * - `safe`: where it is proven that the service did not process it, or where the service says so (429, 503 with
 *   Retry-After). RFC 9110, section 9.2.2.
 * - `idempotent`: the caller's own word that a second POST of the same plant does no harm. Also after any other failure
 *   of the network, and after 408, 500, 502, 503 and 504.
 */
export type RetryPolicy = "safe" | "idempotent";

/** How a call ended that was not stopped. */
export type Ended = Created | Refused | ConnectionFailure | TokenFailure;

/** The service created the plant. */
export interface Created {
  readonly plant: Plant;
  readonly reply: Reply;
}

/** A reply came that is no plant. */
export interface Refused {
  readonly refusal: Refusal;
  readonly reply: Reply;
  readonly retryAfterMs: number | undefined;
}

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

const TRANSIENT = new Set([408, 500, 502, 503, 504]);

/** Sends a plant, and sends it again only where the policy allows it. It rejects only when the call was stopped. */
export async function sendWithRetry(call: Call, scope: Scope): Promise<Ended> {
  const { log, clock, tokens } = call;
  let mayReplaceToken = true;
  let retries = 0;
  try {
    let token = await tokens.issue(scope);
    for (;;) {
      const ended = await attempt(call, token.value, scope);
      if ("plant" in ended) {
        log.decide();
        return ended;
      }
      if (mayReplaceToken && "reply" in ended && ended.reply.status === 401) {
        mayReplaceToken = false;
        scope.signal.throwIfAborted();
        const fresh = await tokens.replace(token, scope);
        if (fresh.value !== token.value) {
          log.decide(0);
          token = fresh;
          continue;
        }
      }
      const delayMs = delayOf(call, ended, retries, scope);
      log.decide(delayMs);
      if (delayMs === undefined) return ended;
      await sleep(delayMs, scope, clock);
      retries++;
    }
  } catch (error) {
    if (!(error instanceof TokenFailure)) throw error;
    log.decide();
    return error;
  }
}

async function attempt(call: Call, token: string, scope: Scope): Promise<Created | Refused | ConnectionFailure> {
  const { log, clock, plant, headers } = call;
  scope.signal.throwIfAborted();
  log.begin(token);
  try {
    const reply = await call.send(plant, { token, headers, scope, log });
    const decoded = decodeReply(reply);
    if ("plant" in decoded) {
      // Whatever ends the call from here on, the plant is there.
      log.end("ok", "unknown");
      return { plant: decoded.plant, reply };
    }
    const retryAfterMs = parseRetryAfter(reply.headers.get("retry-after"), clock);
    const refused: Refused = { refusal: decoded, reply, retryAfterMs };
    log.end(isSuccess(reply.status) ? "body" : "status", judge(refused).outcome);
    return refused;
  } catch (error) {
    // Anything else comes from a Response that is none, of an application's test.
    const failure = error instanceof ConnectionFailure ? error : new ConnectionFailure(redactCause(error, log.redact));
    log.end(failure.status === undefined ? "network" : "body", judge(failure).outcome, codeOf(failure.cause));
    return failure;
  }
}

/** What a failed attempt means for the plant, and under which policy another may follow. */
interface Verdict {
  readonly outcome: Outcome;
  readonly retryable: RetryPolicy | "never";
}

function judge(failure: Refused | ConnectionFailure): Verdict {
  return failure instanceof ConnectionFailure
    ? judgeConnection(failure)
    : judgeStatus(failure.reply.status, failure.retryAfterMs);
}

function judgeStatus(status: number, retryAfterMs: number | undefined): Verdict {
  if (status === 429 || (status === 503 && retryAfterMs !== undefined))
    return { outcome: "rejected", retryable: "safe" };
  if (TRANSIENT.has(status)) return { outcome: "unknown", retryable: "idempotent" };
  return { outcome: status >= 400 && status < 500 ? "rejected" : "unknown", retryable: "never" };
}

function judgeConnection({ cause, status }: ConnectionFailure): Verdict {
  if (status !== undefined) return { outcome: "unknown", retryable: TRANSIENT.has(status) ? "idempotent" : "never" };
  const proof = proofOf(cause);
  if (proof === "nothing") return { outcome: "unknown", retryable: "idempotent" };
  return { outcome: "not-sent", retryable: proof === "unsent" ? "safe" : "never" };
}

/** The wait before the next attempt; nothing where there must be none, or where no time is left for it. */
function delayOf(call: Call, failure: Refused | ConnectionFailure, retries: number, scope: Scope): number | undefined {
  const { retryable } = judge(failure);
  if (retries >= call.maxRetries || retryable === "never") return undefined;
  if (retryable === "idempotent" && call.retry !== "idempotent") return undefined;
  const delayMs = delayBefore(retries, "reply" in failure ? failure.retryAfterMs : undefined, call.clock);
  return delayMs !== undefined && delayMs < scope.remainingMs() ? delayMs : undefined;
}

import type { DispatchWatch } from "#platform";
import { createRedact, type Redact } from "../checks/redaction/redact-text.ts";
import type { Attempt, Outcome } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { StopReason } from "./deadline.ts";
import { notify } from "./foreign-code.ts";
import type { Operation } from "./operation.ts";
import { type ChunkReader, cancel, type Reply } from "./response-body.ts";
import type { FetchLike, Settings } from "./settings.ts";
import type { IssuedToken } from "./tokens.ts";
import { judgeResponse, VERDICTS, type Verdict, worse } from "./verdict.ts";

/** One request of a call and its response, as far as they have come. */
export class Exchange {
  /** The `fetch` that the request was given to. */
  sender: FetchLike | undefined;
  /** Watches whether the request is sent, if that is possible. */
  watch: DispatchWatch | undefined;
  /** Set when the headers of the response have arrived. */
  response: Response | undefined;
  /** Reads the body of the response. */
  reader: ChunkReader | undefined;
  /** Set when the response is complete, or its body broke off. */
  reply: Reply | undefined;
  /** For the list of attempts; it has no reason until the end. */
  readonly record: { -readonly [Name in keyof Attempt]?: Attempt[Name] | undefined };
  verdict: Verdict = VERDICTS.unsent;
  /** The wait that the server asked for, if any. */
  retryAfterMs: number | undefined;
  readonly #start: number;

  constructor(
    number: number,
    readonly token: IssuedToken,
    private readonly clock: Clock,
  ) {
    this.#start = clock.now();
    this.record = { number, startedAt: clock.date(), durationMs: 0, reason: undefined };
  }

  /** The first end counts: a stopped call may still report another. */
  end(reason: Attempt["reason"], verdict: Verdict, code?: string): void {
    const { record, response } = this;
    if (record.reason !== undefined) return;
    record.reason = reason;
    record.durationMs = this.clock.now() - this.#start;
    if (response) record.status = response.status;
    if (code !== undefined) record.code = code;
    this.verdict = verdict;
  }

  /** The call was stopped from outside. Unless its status line has arrived, the service may have processed the request. */
  stop(reason: StopReason): void {
    const { record, response, watch } = this;
    const isUnsent = record.reason === undefined && !response && watch?.stop();
    const verdict = response ? judgeResponse(response.status) : VERDICTS.unproven;
    this.end(reason, isUnsent ? VERDICTS.unsent : verdict);
    cancel(this.reader);
  }
}

/** One call of an operation: what it sends, and its attempts so far. */
export class Call<Output> {
  attempts: readonly Attempt[] = [];
  /** The worst outcome of the attempts. */
  outcome: Outcome = "not-sent";
  /** The current attempt, or the last one. */
  exchange: Exchange | undefined;
  // Private, so that a log shows no token when it is printed.
  #token: IssuedToken | undefined;

  constructor(
    readonly operation: Operation<unknown, Output>,
    /** The HTTP layer that the operation sends through. */
    readonly api: unknown,
    readonly settings: Settings,
    /** The input of the operation, which each attempt sends anew. */
    readonly input: unknown,
  ) {}

  /** Redacts every token sent. */
  get redact(): Redact {
    return this.#token?.redact ?? createRedact([]);
  }

  /** Whether the policy allows another attempt after the current one. */
  get isRetryable(): boolean {
    const { operation, settings, exchange } = this;
    const isIdempotent = operation.isIdempotent || settings.retry === "idempotent";
    const retry = exchange?.verdict.retry;
    return retry === "safe" || (retry === "idempotent" && isIdempotent);
  }

  /** Begins the next attempt. A call replaces its token at most once. */
  begin(token: IssuedToken): Exchange {
    this.#token = token;
    this.exchange = new Exchange(this.attempts.length + 1, token, this.settings.clock);
    return this.exchange;
  }

  /**
   * Adds an attempt that has ended, and tells the observers.
   *
   * @param delayMs - The wait before the next attempt in milliseconds; undefined after the last one.
   */
  add({ record, verdict }: Exchange, delayMs?: number): void {
    if (delayMs !== undefined) record.delayMs = delayMs;
    const attempt = Object.freeze(record) as Attempt;
    this.attempts = this.attempts.concat(attempt);
    this.outcome = worse(this.outcome, verdict.outcome);
    for (const observe of this.settings.observers) notify(observe, attempt);
  }

  /** The call was stopped, in its last attempt or in the wait before another one, which does not come. */
  close(): void {
    const { exchange } = this;
    if (exchange && exchange.record !== this.attempts.at(-1)) this.add(exchange);
    const { delayMs, ...attempt } = this.attempts.at(-1) ?? {};
    if (delayMs !== undefined) this.attempts = [...this.attempts.slice(0, -1), Object.freeze(attempt as Attempt)];
  }
}

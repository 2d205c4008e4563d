import type { DispatchWatch } from "#platform";
import { createRedact, type Redact } from "../checks/redaction/redact-text.ts";
import type { Attempt, Outcome } from "../errors.ts";
import type { BodyText } from "./body.ts";
import type { Clock } from "./clock.ts";
import type { FetchLike } from "./fetch.ts";
import type { IssuedToken } from "./tokens.ts";

export type AttemptObserver = (attempt: Attempt) => void;

const NONE: readonly never[] = Object.freeze([]);
const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

/** The worse of two outcomes: that of a plant for which two requests were made. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return SEVERITY[other] > SEVERITY[one] ? other : one;
}

/** One request of a call and its response, as far as they have come. */
export class Exchange {
  /** The `fetch` that the request was given to. */
  sender: FetchLike | undefined;
  /** Watches whether the request is sent, if that is possible. */
  watch: DispatchWatch | undefined;
  /** Set when the headers of the response have arrived. */
  response: Response | undefined;
  /** Set when the response is complete. */
  body: BodyText | undefined;
  /** For the list of attempts; it has no reason until the end. */
  readonly record: { -readonly [Name in keyof Attempt]?: Attempt[Name] | undefined };
  outcome: Outcome = "not-sent";
  readonly #start: number;
  readonly #clock: Clock;

  constructor(
    number: number,
    readonly token: IssuedToken,
    clock: Clock,
  ) {
    this.#clock = clock;
    this.#start = clock.now();
    this.record = { number, startedAt: clock.date(), durationMs: 0, reason: undefined };
  }

  /** The first end counts: a stopped call may still report another. */
  end(reason: Attempt["reason"], outcome: Outcome, code?: string): void {
    const { record, response } = this;
    if (record.reason !== undefined) return;
    record.reason = reason;
    record.durationMs = this.#clock.now() - this.#start;
    if (response) record.status = response.status;
    if (code !== undefined) record.code = code;
    this.outcome = outcome;
  }

  /** The call was stopped from outside. The service may have received a request whose response is incomplete. */
  stop(reason: "timeout" | "aborted"): void {
    const isUnsent = this.record.reason === undefined && !this.response && this.watch?.stop();
    this.end(reason, isUnsent ? "not-sent" : "unknown");
  }
}

/** The attempts of one call, and their worst outcome. */
export class AttemptLog {
  list: readonly Attempt[] = NONE;
  outcome: Outcome = "not-sent";
  // Private, so that a log shows no token when it is printed.
  #token: IssuedToken | undefined;
  /** Redacts both tokens of a call whose first one was replaced. */
  #redactBoth: Redact | undefined;
  readonly #observers: readonly AttemptObserver[];

  constructor(observers: readonly AttemptObserver[]) {
    this.#observers = observers;
  }

  /** Redacts every token sent. */
  get redact(): Redact {
    return this.#redactBoth ?? this.#token?.redact ?? createRedact([]);
  }

  /** Begins the next attempt. A call replaces its token at most once. */
  begin(token: IssuedToken, clock: Clock): Exchange {
    if (this.#token && token !== this.#token) this.#redactBoth = createRedact([this.#token.value, token.value]);
    this.#token = token;
    return new Exchange(this.list.length + 1, token, clock);
  }

  /**
   * Adds an attempt that has ended, and tells the observers.
   *
   * @param delayMs - The wait before the next attempt in milliseconds; undefined after the last one.
   */
  add({ record, outcome }: Exchange, delayMs?: number): void {
    if (delayMs !== undefined) record.delayMs = delayMs;
    const attempt = Object.freeze(record) as Attempt;
    // Not `push`, which reserves space for 17 items.
    this.list = this.list.length === 0 ? [attempt] : [...this.list, attempt];
    this.outcome = worse(this.outcome, outcome);
    for (const observe of this.#observers) notify(observe, attempt);
  }

  /** The call was stopped, in its last attempt or in the wait before another one, which does not come. */
  close(last: Exchange | undefined): void {
    if (last && last.record !== this.list.at(-1)) this.add(last);
    const { delayMs, ...attempt } = this.list.at(-1) ?? {};
    if (delayMs !== undefined) this.list = [...this.list.slice(0, -1), Object.freeze(attempt as Attempt)];
  }
}

/** Calls an application's observer. An error or a rejected promise of an observer must not change what it observes. */
export function notify<Value>(observe: (value: Value) => unknown, value: Value): void {
  try {
    const returned = observe(value);
    if (returned) Promise.resolve(returned).catch(() => {});
  } catch {
    // Ignored, as documented for each observer.
  }
}

import type { DispatchWatch } from "#platform";
import { createRedact, type Redact } from "../checks/redaction/redact-text.ts";
import type { Attempt, Outcome } from "../errors.ts";
import type { Clock } from "./clock.ts";
import type { IssuedToken } from "./tokens.ts";

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** An attempt; it has no reason until it ends. */
type Draft = Mutable<Omit<Attempt, "reason">> & { reason: Attempt["reason"] | undefined };

export type AttemptObserver = (attempt: Attempt) => void;

const NONE: readonly never[] = Object.freeze([]);
const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

/** The worse of two outcomes: that of a plant for which two requests were made. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return SEVERITY[other] > SEVERITY[one] ? other : one;
}

/**
 * The attempts of one call, and their worst outcome.
 *
 * An attempt goes through `begin`, `end` (its result) and `decide` (the next step), and is then added to the list.
 */
export class AttemptLog {
  list: readonly Attempt[] = NONE;
  outcome: Outcome = "not-sent";
  /** The watch of the current attempt, until its response arrives. */
  watch: DispatchWatch | undefined;
  // Private, so that a log shows no token when it is printed.
  #token: IssuedToken | undefined;
  /** The tokens sent before `#token`. */
  #earlierTokens: readonly IssuedToken[] = NONE;
  /** Redacts all of them, if there are several. */
  #redact: Redact | undefined;
  /** Unset after the decision, so that later reports from a stopped call are ignored. */
  #draft: Draft | undefined;
  /** The last attempt, until the observers are told of it. */
  #untold: Attempt | undefined;
  #startedAt = 0;
  readonly #observers: readonly AttemptObserver[];
  readonly #clock: Clock;

  constructor(clock: Clock, observers: readonly AttemptObserver[]) {
    this.#clock = clock;
    this.#observers = observers;
  }

  /** Redacts every token sent. */
  get redact(): Redact {
    return this.#redact ?? this.#token?.redact ?? createRedact([]);
  }

  begin(token: IssuedToken): void {
    this.watch = undefined;
    if (this.#token && token !== this.#token) {
      this.#earlierTokens = [...this.#earlierTokens, this.#token];
      this.#redact = createRedact([...this.#earlierTokens, token].map(({ value }) => value));
    }
    this.#token = token;
    this.#startedAt = this.#clock.now();
    this.#draft = { number: this.list.length + 1, startedAt: this.#clock.date(), durationMs: 0, reason: undefined };
  }

  /** The status line arrived; the body may still be on its way. */
  arrived(status: number): void {
    this.watch = undefined;
    if (this.#draft) this.#draft.status = status;
  }

  end(reason: Attempt["reason"], outcome: Outcome, code?: string): void {
    const draft = this.#draft;
    if (!draft) return;
    draft.reason = reason;
    draft.durationMs = this.#clock.now() - this.#startedAt;
    if (code !== undefined) draft.code = code;
    this.outcome = worse(this.outcome, outcome);
  }

  /** Records the retry decision: the wait before the next attempt in milliseconds, or nothing after the last one. */
  decide(delayMs?: number): void {
    this.#record(delayMs);
    this.tell();
  }

  #record(delayMs?: number): void {
    const draft = this.#draft as Mutable<Attempt> | undefined;
    if (!draft) return;
    this.#draft = undefined;
    if (delayMs !== undefined) draft.delayMs = delayMs;
    Object.freeze(draft);
    // Not `push`, which reserves space for 17 items.
    this.list = this.list.length === 0 ? [draft] : [...this.list, draft];
    this.#untold = draft;
  }

  /** Tells the observers of an attempt that they do not know yet. */
  tell(): void {
    const attempt = this.#untold;
    if (!attempt) return;
    this.#untold = undefined;
    for (const observe of this.#observers) notify(observe, attempt);
  }

  /**
   * The call was stopped from outside. An attempt with an incomplete response may have reached the service. The observers
   * are told later, by the call: here the async context is that of the caller who aborted a signal, which others may share.
   */
  stop(reason: "timeout" | "aborted"): void {
    if (this.#draft?.reason === undefined) this.end(reason, this.watch?.stop() ? "not-sent" : "unknown");
    this.#record();
    // It was stopped in the wait before another attempt, which does not come.
    const { delayMs, ...last } = this.list.at(-1) ?? {};
    if (delayMs !== undefined) this.list = [...this.list.slice(0, -1), Object.freeze(last as Attempt)];
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

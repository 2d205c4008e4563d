import type { DispatchWatch } from "#platform";
import type { Attempt, Outcome } from "../errors.ts";
import type { Clock } from "./clock.ts";
import { notify } from "./notify.ts";
import { createRedact, type Redact } from "./redact.ts";
import type { IssuedToken } from "./token-source.ts";

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** An attempt; it has no reason until it ends. */
type Draft = Mutable<Omit<Attempt, "reason">> & { reason: Attempt["reason"] | undefined };

export type AttemptObserver = (attempt: Attempt) => void;

const NONE: readonly never[] = Object.freeze([]);
const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

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
  #token: IssuedToken | undefined;
  /** Tokens sent before `#token`. */
  #earlierTokens: readonly IssuedToken[] = NONE;
  /** Unset after the decision, so that later reports from a stopped call are ignored. */
  #draft: Draft | undefined;
  #startedAt = 0;
  #observers: readonly AttemptObserver[] = NONE;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param earlier - The log of an earlier call for the same input, which this one continues. */
  configure(observers: readonly AttemptObserver[], earlier: AttemptLog | undefined): void {
    this.#observers = observers;
    if (!earlier) return;
    this.list = earlier.list;
    this.outcome = earlier.outcome;
    this.#earlierTokens = earlier.tokens();
  }

  /** Every token sent. A method, so that a log shows none when it is printed. */
  tokens(): readonly IssuedToken[] {
    return this.#token ? [...this.#earlierTokens, this.#token] : this.#earlierTokens;
  }

  /** Redacts every token sent. */
  get redact(): Redact {
    if (this.#token && this.#earlierTokens.length === 0) return this.#token.redact;
    return createRedact(this.tokens().map(({ value }) => value));
  }

  begin(token: IssuedToken): void {
    this.watch = undefined;
    if (this.#token) this.#earlierTokens = this.tokens();
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
    if (SEVERITY[outcome] > SEVERITY[this.outcome]) this.outcome = outcome;
  }

  /** Records the retry decision: the wait before the next attempt in milliseconds, or nothing after the last one. */
  decide(delayMs?: number): void {
    const draft = this.#draft as Mutable<Attempt> | undefined;
    if (!draft) return;
    this.#draft = undefined;
    if (delayMs !== undefined) draft.delayMs = delayMs;
    Object.freeze(draft);
    // Not `push`, which reserves space for 17 items.
    this.list = this.list.length === 0 ? [draft] : [...this.list, draft];
    for (const observe of this.#observers) notify(observe, draft);
  }

  /** The call was stopped from outside. An attempt with an incomplete response may have reached the service. */
  stop(reason: "timeout" | "aborted"): void {
    if (this.#draft?.reason === undefined) this.end(reason, this.watch?.stop() ? "not-sent" : "unknown");
    this.decide();
  }
}

import type { DispatchWatch } from "#platform";
import type { Attempt, Outcome } from "../errors.ts";
import type { Clock } from "./clock.ts";
import { createRedact, type Redact } from "./redact.ts";

type Draft = { -readonly [Name in keyof Attempt]: Attempt[Name] };

export type AttemptObserver = (attempt: Attempt) => void;

const NONE: readonly never[] = Object.freeze([]);
const SEVERITY: Record<Outcome, number> = { "not-sent": 0, rejected: 1, unknown: 2 };

/**
 * The attempts of one call, and their worst outcome.
 *
 * Each goes through `begin`, `end` (what came back) and `decide` (what is done next); only then it is in the list.
 */
export class AttemptLog {
  list: readonly Attempt[] = NONE;
  outcome: Outcome = "not-sent";
  /** Of the attempt under way, until its reply arrives. */
  watch: DispatchWatch | undefined;
  #token: string | undefined;
  /** Those that were sent before it. */
  #earlierTokens: readonly string[] = NONE;
  /** None once it is decided: what the steps of a call that was stopped still report is of no account. */
  #draft: Draft | undefined;
  #startedAt = 0;
  /** The request was handed to fetch, and its reply is not complete. */
  #isOpen = false;

  /** Who hears of each attempt. */
  observers: readonly AttemptObserver[] = NONE;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes every token that was sent out of a text. */
  get redact(): Redact {
    // Names of headers, and of hosts, come in lower case.
    const tokens = this.#token === undefined ? NONE : [...this.#earlierTokens, this.#token];
    return createRedact([...new Set(tokens.flatMap((token) => [token, token.toLowerCase()]))]);
  }

  begin(token: string): void {
    this.watch = undefined;
    if (this.#token !== token) {
      if (this.#token !== undefined) this.#earlierTokens = [...this.#earlierTokens, this.#token];
      this.#token = token;
    }
    this.#startedAt = this.#clock.now();
    this.#draft = { number: this.list.length + 1, startedAt: this.#clock.date(), durationMs: 0, reason: "network" };
    this.#isOpen = true;
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
    this.#isOpen = false;
  }

  /** The retry decision: the wait before the next attempt in milliseconds, or nothing for the last one. */
  decide(delayMs?: number): void {
    const draft = this.#draft;
    if (!draft) return;
    this.#draft = undefined;
    if (delayMs !== undefined) draft.delayMs = delayMs;
    Object.freeze(draft);
    // A list that is pushed to has room for 17.
    this.list = this.list.length === 0 ? [draft] : [...this.list, draft];
    this.#report(draft);
  }

  /** The call was stopped from outside: an attempt whose reply is not complete may have reached the service. */
  stop(reason: "timeout" | "aborted"): void {
    if (this.#isOpen) this.end(reason, this.watch?.stop() ? "not-sent" : "unknown");
    this.decide();
  }

  #report(attempt: Attempt): void {
    for (const observe of this.observers) {
      try {
        const returned: unknown = observe(attempt);
        if (returned) Promise.resolve(returned).catch(() => {});
      } catch {
        // An observer must not change what it observes.
      }
    }
  }
}

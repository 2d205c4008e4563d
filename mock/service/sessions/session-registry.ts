import type { ResolvedOptions } from "../options.ts";
import { ByteBudget } from "./byte-budget.ts";
import { SessionState } from "./session-state.ts";
import type { TokenLabels } from "./token-labels.ts";

/** A session and its current state, which a reset replaces. */
export interface RegisteredSession {
  state: SessionState;
  /** Whether it was disposed: it receives no more requests. */
  isClosed: boolean;
}

/** The sessions of one mock, by their tokens. */
export class SessionRegistry {
  /** The session of every request whose token belongs to no other session. */
  readonly root: RegisteredSession;
  readonly #options: ResolvedOptions;
  readonly #labels: TokenLabels;
  readonly #byToken = new Map<string, RegisteredSession>();
  readonly #journalBudget: ByteBudget;

  constructor(options: ResolvedOptions, labels: TokenLabels) {
    this.#options = options;
    this.#labels = labels;
    this.#journalBudget = new ByteBudget(options.journalLimitBytes * 8);
    this.root = this.#register(undefined);
  }

  /** The session of a request, by its token. */
  of(token: string | undefined): RegisteredSession {
    return this.#byToken.get(token as string) ?? this.root;
  }

  /**
   * Opens a session for these tokens.
   *
   * @throws TypeError if one of them is in use.
   */
  open(tokens: readonly string[]): RegisteredSession {
    for (const token of tokens) {
      if (!this.#byToken.has(token) && token !== this.#options.auth?.token) continue;
      const label = this.#labels.of(token);
      throw new TypeError(`tokens: ${label} is in use by another session; dispose that session, or use another token`);
    }
    const registered = this.#register(new Set(tokens));
    for (const token of tokens) {
      this.#byToken.set(token, registered);
      this.#labels.keep(token);
    }
    return registered;
  }

  /** Replaces the state with a new one, and ends every wait in the old one. */
  reset(registered: RegisteredSession): void {
    const ended = registered.state;
    registered.state = this.#newState(ended.tokens);
    ended.end();
  }

  /** Resets a session and frees its tokens. The root stays open. */
  dispose(registered: RegisteredSession): void {
    for (const token of registered.state.tokens ?? []) {
      if (this.#byToken.get(token) !== registered) continue;
      this.#byToken.delete(token);
      this.#labels.release(token);
    }
    registered.isClosed = registered !== this.root;
    this.reset(registered);
  }

  /** The root, and every open session once. */
  [Symbol.iterator](): Iterator<RegisteredSession> {
    return new Set([this.root, ...this.#byToken.values()])[Symbol.iterator]();
  }

  #register(tokens: ReadonlySet<string> | undefined): RegisteredSession {
    return { state: this.#newState(tokens), isClosed: false };
  }

  #newState(tokens: ReadonlySet<string> | undefined): SessionState {
    return new SessionState(tokens, this.#options, this.#journalBudget);
  }
}

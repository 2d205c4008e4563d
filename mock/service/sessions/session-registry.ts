import type { MockSession } from "../mock-plant-store.ts";
import type { ResolvedOptions } from "../options.ts";
import { randomName } from "../tokens.ts";
import { ByteBudget } from "./byte-budget.ts";
import { SessionState } from "./session-state.ts";
import type { TokenLabels } from "./token-labels.ts";

/** A session and its current state, which a reset replaces. */
export interface RegisteredSession {
  /** The name of the session in the control API: random, except for `root`. */
  readonly name: string;
  /** Every open session of the same mock. */
  readonly registry: SessionRegistry;
  /** The object that tests hold. It sets this itself when it is created. */
  session?: MockSession;
  state: SessionState;
  /** Whether it was disposed: it receives no more requests. */
  isClosed: boolean;
}

/** @throws Error if the session was disposed, because the call of that member would have no effect. */
export function checkOpen({ isClosed }: RegisteredSession, member: string): void {
  if (isClosed) throw new Error(`session.${member}: the session was disposed; open another with mock.session()`);
}

/** The open sessions of one mock, by their names and tokens. */
export class SessionRegistry {
  /** The session of every request whose token belongs to no other session. */
  readonly root: RegisteredSession;
  readonly #options: ResolvedOptions;
  readonly #labels: TokenLabels;
  /** The root first, then in the order opened. */
  readonly #byName = new Map<string, RegisteredSession>();
  readonly #byToken = new Map<string, RegisteredSession>();
  readonly #journalBudget: ByteBudget;
  #changes = 0;

  constructor(options: ResolvedOptions, labels: TokenLabels) {
    this.#options = options;
    this.#labels = labels;
    this.#journalBudget = new ByteBudget(options.journalLimitBytes * 8);
    this.root = this.#register("root", undefined);
  }

  /** How often a session was opened or disposed. */
  get changes(): number {
    return this.#changes;
  }

  get(name: string): RegisteredSession | undefined {
    return this.#byName.get(name);
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
    const registered = this.#register(randomName("session"), new Set(tokens));
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
    if (registered !== this.root) {
      registered.isClosed = true;
      this.#byName.delete(registered.name);
      this.#changes++;
    }
    this.reset(registered);
  }

  [Symbol.iterator](): Iterator<RegisteredSession> {
    return this.#byName.values();
  }

  #register(name: string, tokens: ReadonlySet<string> | undefined): RegisteredSession {
    const registered = { name, registry: this, state: this.#newState(tokens), isClosed: false };
    this.#byName.set(name, registered);
    this.#changes++;
    return registered;
  }

  #newState(tokens: ReadonlySet<string> | undefined): SessionState {
    return new SessionState(tokens, this.#options, this.#journalBudget);
  }
}

import { randomName } from "../../time/clock.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import type { TokenLabels } from "../token-labels.ts";
import { Session } from "./session.ts";

/** The open sessions of one mock, by their names and tokens. */
export class SessionRegistry implements Iterable<Session> {
  /** The session of every request whose token belongs to no other session. */
  readonly root: Session;
  readonly #options: ResolvedOptions;
  readonly #labels: TokenLabels;
  /** The root first, then in the order opened. */
  readonly #byName = new Map<string, Session>();
  readonly #byToken = new Map<string, Session>();

  constructor(options: ResolvedOptions, labels: TokenLabels) {
    this.#options = options;
    this.#labels = labels;
    this.root = this.#register("root", undefined);
  }

  [Symbol.iterator](): Iterator<Session> {
    return this.#byName.values();
  }

  get(name: string): Session | undefined {
    return this.#byName.get(name);
  }

  /** The session of a request, by its token. */
  of(token: string | undefined): Session {
    return this.#byToken.get(token as string) ?? this.root;
  }

  /**
   * Opens a session for these tokens.
   *
   * @throws TypeError if one of them is in use.
   */
  open(tokens: readonly string[]): Session {
    for (const token of tokens) {
      if (!this.#byToken.has(token) && token !== this.#options.auth?.token) continue;
      const label = this.#labels.of(token);
      throw new TypeError(`tokens: ${label} is in use by another session; dispose that session, or use another token`);
    }
    const session = this.#register(randomName("session", 8, this.#options.clock), new Set(tokens));
    for (const token of tokens) this.#byToken.set(token, session);
    return session;
  }

  /** Resets a session and frees its tokens. The root stays open. */
  dispose(session: Session): void {
    for (const token of session.state.tokens ?? []) {
      if (this.#byToken.get(token) === session) this.#byToken.delete(token);
    }
    if (session !== this.root) {
      session.isClosed = true;
      this.#byName.delete(session.name);
    }
    session.reset();
  }

  #register(name: string, tokens: ReadonlySet<string> | undefined): Session {
    const session = new Session(name, tokens, this.#options);
    this.#byName.set(name, session);
    return session;
  }
}

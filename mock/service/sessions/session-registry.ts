import { randomName } from "../../time/clock.ts";
import type { TokenLabels } from "../bearer-tokens.ts";
import type { MockSession } from "../mock-plant-store.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import { SessionState } from "./session-state.ts";

/** A session in the registry, with its current state, which a reset replaces. */
export interface SessionEntry {
  /** The name of the session in the control API: random, except for `root`. */
  readonly name: string;
  /** The object that tests hold. It sets this itself when it is created. */
  session?: MockSession;
  state: SessionState;
  /** Whether it was disposed: it receives no more requests. */
  isClosed: boolean;
}

/** @throws Error if the session was disposed, because the call of that member would have no effect. */
export function checkOpen({ isClosed }: SessionEntry, member: string): void {
  if (isClosed) throw new Error(`session.${member}: the session was disposed; open another with mock.session()`);
}

/** The open sessions of one mock, by their names and tokens. */
export class SessionRegistry implements Iterable<SessionEntry> {
  /** The session of every request whose token belongs to no other session. */
  readonly root: SessionEntry;
  readonly #options: ResolvedOptions;
  readonly #labels: TokenLabels;
  /** The root first, then in the order opened. */
  readonly #byName = new Map<string, SessionEntry>();
  readonly #byToken = new Map<string, SessionEntry>();

  constructor(options: ResolvedOptions, labels: TokenLabels) {
    this.#options = options;
    this.#labels = labels;
    this.root = this.#register("root", undefined);
  }

  [Symbol.iterator](): Iterator<SessionEntry> {
    return this.#byName.values();
  }

  get(name: string): SessionEntry | undefined {
    return this.#byName.get(name);
  }

  /** The session of a request, by its token. */
  of(token: string | undefined): SessionEntry {
    return this.#byToken.get(token as string) ?? this.root;
  }

  /**
   * Opens a session for these tokens.
   *
   * @throws TypeError if one of them is in use.
   */
  open(tokens: readonly string[]): SessionEntry {
    for (const token of tokens) {
      if (!this.#byToken.has(token) && token !== this.#options.auth?.token) continue;
      const label = this.#labels.of(token);
      throw new TypeError(`tokens: ${label} is in use by another session; dispose that session, or use another token`);
    }
    const entry = this.#register(randomName("session", 8, this.#options.clock), new Set(tokens));
    for (const token of tokens) this.#byToken.set(token, entry);
    return entry;
  }

  /** Replaces the state with a new one, and ends every wait in the old one. */
  reset(session: SessionEntry): void {
    const ended = session.state;
    session.state = new SessionState(ended.tokens, this.#options);
    ended.end();
  }

  /** Resets a session and frees its tokens. The root stays open. */
  dispose(session: SessionEntry): void {
    for (const token of session.state.tokens ?? []) {
      if (this.#byToken.get(token) === session) this.#byToken.delete(token);
    }
    if (session !== this.root) {
      session.isClosed = true;
      this.#byName.delete(session.name);
    }
    this.reset(session);
  }

  #register(name: string, tokens: ReadonlySet<string> | undefined): SessionEntry {
    const session = { name, state: new SessionState(tokens, this.#options), isClosed: false };
    this.#byName.set(name, session);
    return session;
  }
}

import type { MockSession } from "../mock-plant-store.ts";
import type { ResolvedOptions } from "../resolve-options.ts";
import { SessionState } from "./session-state.ts";

/** A session, with its current state, which a reset replaces. */
export class Session {
  /** The name of the session in the control API: random, except for `root`. */
  readonly name: string;
  /** The object that tests hold, as soon as it is created. */
  calls?: MockSession;
  state: SessionState;
  /** Whether it was disposed: it receives no more requests. */
  isClosed = false;
  readonly #options: ResolvedOptions;

  constructor(name: string, tokens: ReadonlySet<string> | undefined, options: ResolvedOptions) {
    this.name = name;
    this.state = new SessionState(tokens, options);
    this.#options = options;
  }

  /** @throws Error if the session was disposed, because the call of that member would have no effect. */
  checkOpen(member: string): void {
    if (!this.isClosed) return;
    throw new Error(`session.${member}: the session was disposed; open another with mock.session()`);
  }

  /** Replaces the state with a new one, and ends every wait in the old one. */
  reset(): void {
    const ended = this.state;
    this.state = new SessionState(ended.tokens, this.#options);
    ended.end();
  }
}

import type { Choices } from "../options.ts";
import { SessionState } from "./session-state.ts";

/** A session as the service knows it: a place for its present state. */
export interface Slot {
  state: SessionState;
  /** Whether it was disposed of: no request comes here any more. */
  isClosed: boolean;
}

/** The sessions of one mock, by their tokens. */
export class Slots {
  /** The session of every request whose token belongs to no other one. */
  readonly root: Slot;
  readonly #choices: Choices;
  readonly #byToken = new Map<string, Slot>();

  constructor(choices: Choices) {
    this.#choices = choices;
    this.root = this.#newSlot(undefined);
  }

  /** The session of a request, by its token. */
  of(token: string | undefined): Slot {
    return this.#byToken.get(token as string) ?? this.root;
  }

  /**
   * Opens a session for these tokens.
   *
   * @throws TypeError when one is in use.
   */
  open(tokens: readonly string[], labelOf: (token: string) => string): Slot {
    for (const token of tokens) {
      if (!this.#byToken.has(token) && token !== this.#choices.auth?.token) continue;
      throw new TypeError(`tokens: ${labelOf(token)} is in use by another session; dispose that one, or use another`);
    }
    const slot = this.#newSlot(new Set(tokens));
    for (const token of tokens) this.#byToken.set(token, slot);
    return slot;
  }

  /** Puts a new state in the place of the old one, and ends whatever waits in that. */
  reset(slot: Slot): void {
    const ended = slot.state;
    slot.state = this.#newState(ended.tokens);
    ended.end();
  }

  /** Resets a session; unless it is the root, its tokens are free again. */
  dispose(slot: Slot): void {
    for (const token of slot.state.tokens ?? []) {
      if (this.#byToken.get(token) === slot) this.#byToken.delete(token);
    }
    slot.isClosed = slot !== this.root;
    this.reset(slot);
  }

  /** The root, and every open session once. */
  [Symbol.iterator](): Iterator<Slot> {
    return new Set([this.root, ...this.#byToken.values()])[Symbol.iterator]();
  }

  #newSlot(tokens: ReadonlySet<string> | undefined): Slot {
    return { state: this.#newState(tokens), isClosed: false };
  }

  #newState(tokens: ReadonlySet<string> | undefined): SessionState {
    return new SessionState(tokens, this.#choices.seed, this.#choices.journalLimit);
  }
}

/** Labels that stand for bearer tokens, so that no token is shown in a journal or a log. */
export class TokenLabels {
  /** The tokens of open sessions; their label comes with their first request. */
  readonly #open = new Map<string, string | undefined>();
  /** Other tokens, the one that was used last at the end. */
  readonly #others = new Map<string, string>();
  #given = 0;
  /** Most requests carry the token of the one before. */
  #last: { readonly token: string; readonly label: string } | undefined;

  /** `token#1` for the first token seen, and so on. */
  of(token: string): string {
    if (this.#last?.token === token) return this.#last.label;
    const label = this.#open.get(token) ?? this.#others.get(token) ?? `token#${++this.#given}`;
    if (this.#open.has(token)) this.#open.set(token, label);
    else this.#use(token, label);
    this.#last = { token, label };
    return label;
  }

  /** Keeps the label of a token as long as its session is open. */
  keep(token: string): void {
    this.#last = undefined;
    this.#open.set(token, this.#others.get(token));
    this.#others.delete(token);
  }

  /** The session of a token has ended. */
  release(token: string): void {
    this.#last = undefined;
    const label = this.#open.get(token);
    this.#open.delete(token);
    if (label !== undefined) this.#use(token, label);
  }

  #use(token: string, label: string): void {
    this.#others.delete(token);
    this.#others.set(token, label);
    if (this.#others.size > KEPT) this.#others.delete(this.#others.keys().next().value as string);
  }
}

/** How many tokens of no session are known: the one that was not used for the longest time is forgotten first. */
const KEPT = 1_000;

/** Labels that replace bearer tokens, so that journals and logs contain no token. */
export class TokenLabels {
  /** The tokens of open sessions. A token gets its label with its first request. */
  readonly #open = new Map<string, string | undefined>();
  /** Other tokens, the least recently used first. */
  readonly #others = new Map<string, string>();
  #given = 0;
  /** Caches the last result: most requests repeat the token of the previous one. */
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

  /** Keeps the label of a token while its session is open. */
  keep(token: string): void {
    this.#last = undefined;
    this.#open.set(token, this.#others.get(token));
    this.#others.delete(token);
  }

  /** Called when the session of a token has ended. */
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

/** How many tokens without an open session keep their label. */
const KEPT = 1_000;

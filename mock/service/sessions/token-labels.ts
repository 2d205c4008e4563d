/** Labels that stand for bearer tokens, so that no token is shown in a journal or a log. */
export class TokenLabels {
  readonly #labels = new Map<string, string>();
  #given = 0;

  /** `token#1` for the first token seen, and so on. */
  of(token: string): string {
    const known = this.#labels.get(token);
    if (known !== undefined) return known;
    const label = `token#${++this.#given}`;
    this.#labels.set(token, label);
    if (this.#labels.size > KEPT) this.#labels.delete(this.#labels.keys().next().value as string);
    return label;
  }
}

/** A long-lived mock sees a token a test: the oldest are forgotten, and no number is given twice. */
const KEPT = 1_000;

/** The labels that replace tokens, so that recorded requests and logs contain none. They are counted up from `token#1`. */
export class TokenLabels {
  readonly #labels = new Map<string, string>();

  /** Always the same for a token, except that all tokens above the limit share one. */
  of(token: string): string {
    const known = this.#labels.get(token);
    if (known !== undefined) return known;
    if (this.#labels.size === MAX_LABELS) return "token#other";
    const label = `token#${this.#labels.size + 1}`;
    this.#labels.set(token, label);
    return label;
  }

  /** The Authorization header with a label in place of each possible secret. */
  redact(authorization: string): string {
    return authorization
      .split(",")
      .map((part) => {
        const [scheme, ...secret] = part.trim().split(/[ \t]+/) as [string, ...string[]];
        if (secret.length > 0) return `${scheme} ${this.of(secret.join(" "))}`;
        return scheme === "" || /^bearer$/i.test(scheme) ? scheme : this.of(scheme);
      })
      .join(", ");
  }
}

/** A long run with a token for each session must not fill the memory. */
const MAX_LABELS = 10_000;

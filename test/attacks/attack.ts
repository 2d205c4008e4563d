/** One attack on the client or the mock, which attacks.md shows as a row. */
export interface Attack {
  /** The attack, e.g. "A gateway returns 503 with Retry-After". */
  readonly attack: string;
  /** Runs the attack and describes its actual effect, never with a fixed text. */
  readonly run: () => string | Promise<string>;
}

/** The error of a promise or a function, as `Name: message`; "nothing was thrown" if there is none. */
export async function thrownBy(act: () => unknown): Promise<string> {
  try {
    await act();
    return "nothing was thrown";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

/** One attack on the client or the mock, which docs/attacks.md shows as a row. */
export interface Attack {
  /** What is done, e.g. "A gateway answers 503 with Retry-After". */
  readonly attack: string;
  /** Does it; gives what happened, in words that are made from what was seen, never a text that is always the same. */
  readonly run: () => string | Promise<string>;
}

/** What a promise or a function throws, as `Name: message`; "nothing was thrown" if that is so. */
export async function thrownBy(act: () => unknown): Promise<string> {
  try {
    await act();
    return "nothing was thrown";
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

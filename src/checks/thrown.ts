/** How an error of others is read, who throw what they like. */

/** The longest chain that is followed; it may have a cycle. */
const MAX_LINKS = 32;

/** An error and its causes in turn; in place of the cause of an AggregateError, its first error. */
export function* causesOf(error: unknown): Generator<Readonly<Record<string, unknown>>> {
  let link = error;
  for (let links = 0; links < MAX_LINKS && typeof link === "object" && link !== null; links++) {
    yield link as Readonly<Record<string, unknown>>;
    const { cause, errors } = link as Partial<AggregateError>;
    link = cause ?? errors?.[0];
  }
}

/** The reason of a failure, after a colon. */
export function reasonOf(error: unknown): string {
  try {
    const { message } = Object(error) as { readonly message?: unknown };
    return `: ${typeof message === "string" ? message : String(error)}`;
  } catch {
    return "";
  }
}

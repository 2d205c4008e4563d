/** Takes every token of a call out of a text; `cut` says that the text may end within one. */
export type Redact = (text: string, cut?: boolean) => string;

const MASK = "[redacted]";
/** From this length on a token is told from ordinary words, and taken out wherever it stands. */
const BARE_LENGTH = 16;
/** A shorter beginning of a token at the end of a cut text gives nothing away. */
const CUT_LENGTH = 4;
/** The longest form of one character: `\u002f`. */
const ESCAPE_LENGTH = 6;

/**
 * Makes the redaction for one call. A token goes after `Bearer` always, and by itself from 16 characters on; also where
 * it is JSON-escaped (`\/`, `\u002f`).
 */
export function createRedact(tokens: readonly string[]): Redact {
  return (text, cut = false) => tokens.reduce((rest, token) => withoutToken(rest, token, cut), text);
}

function withoutToken(text: string, token: string, cut: boolean): string {
  const isShort = token.length < BARE_LENGTH;
  const before = isShort ? "(\\bbearer\\s+)" : "()";
  const whole = text.replace(new RegExp(before + patternOf(token), "gi"), `$1${MASK}`);
  if (!cut) return whole;
  const rest = `[^]{0,${token.length * ESCAPE_LENGTH}}$`;
  const beginning = token.slice(0, isShort ? 1 : CUT_LENGTH);
  return whole.replace(new RegExp(before + patternOf(beginning) + rest, "i"), `$1${MASK}`);
}

/** A regular expression for a text, each character of it plain or as a JSON escape. */
function patternOf(text: string): string {
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return `(?:\\\\?${character.replace(/\W/, "\\$&")}|\\\\u${code})`;
  }).join("");
}

/** The headers of a reply without tokens: the same object where there are none in it. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const pairs = [...headers].map(([name, value]) => [name, redact(value)] as [string, string]);
  return pairs.every(([name, value]) => value === headers.get(name)) ? headers : new Headers(pairs);
}

/**
 * An error as a new one that keeps what tells it apart (name, message, code, syscall, errors, cause) and no token. Cycles
 * end, and whatever an application throws can be read afterwards.
 */
export function redactCause(cause: unknown, redact: Redact, seen: Set<unknown> = new Set()): unknown {
  try {
    if (typeof cause === "object" && cause !== null)
      return seen.has(cause) ? undefined : copyError(cause as Record<string, unknown>, redact, seen);
    return /string|symbol|function/.test(typeof cause) ? redact(String(cause)) : cause;
  } catch {
    return new Error("an error that cannot be read");
  }
}

function copyError(source: Record<string, unknown>, redact: Redact, seen: Set<unknown>): Error | undefined {
  if (seen.size === MAX_CAUSES) return undefined;
  seen.add(source);
  const { message = "", name = "Error", stack, errors, cause } = source;
  const copy = new Error(redact(String(message)));
  const define = (key: string, value: unknown) =>
    Object.defineProperty(copy, key, { value, writable: true, configurable: true });
  define("name", redact(String(name)));
  define("stack", typeof stack === "string" ? redact(stack) : `${copy.name}: ${copy.message}`);
  for (const key of ["code", "syscall"]) {
    const value = source[key];
    if (typeof value === "number") Object.assign(copy, { [key]: value });
    if (typeof value === "string") Object.assign(copy, { [key]: redact(value) });
  }
  if (Array.isArray(errors)) {
    define(
      "errors",
      errors.map((error) => redactCause(error, redact, seen)),
    );
  }
  if (cause !== undefined) define("cause", redactCause(cause, redact, seen));
  return copy;
}

/** So many errors of one chain or tree are kept. */
const MAX_CAUSES = 32;

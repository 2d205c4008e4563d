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

/** An error as a new one that keeps what tells it apart (name, message, code, syscall, errors, cause) and no token. */
export function redactCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause === "string") return redact(cause);
  if (typeof cause !== "object" || cause === null) return cause;
  if (depth === MAX_DEPTH) return undefined;
  const source = cause as Record<string, unknown>;
  const copy = new Error(redact(String(source.message ?? "")));
  const define = (name: string, value: unknown) =>
    Object.defineProperty(copy, name, { value, writable: true, configurable: true });
  define("name", redact(String(source.name ?? "Error")));
  define("stack", typeof source.stack === "string" ? redact(source.stack) : `${copy.name}: ${copy.message}`);
  for (const name of ["code", "syscall"]) {
    const value = source[name];
    if (typeof value === "number") Object.assign(copy, { [name]: value });
    if (typeof value === "string") Object.assign(copy, { [name]: redact(value) });
  }
  if (Array.isArray(source.errors)) {
    define(
      "errors",
      source.errors.slice(0, MAX_ERRORS).map((error) => redactCause(error, redact, depth + 1)),
    );
  }
  if (source.cause !== undefined) define("cause", redactCause(source.cause, redact, depth + 1));
  return copy;
}

/** Deeper causes, and cycles, end here. */
const MAX_DEPTH = 8;
const MAX_ERRORS = 16;

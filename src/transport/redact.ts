/** Takes every token of a call out of a text; `cut` says that the text may end within one. */
export type Redact = (text: string, cut?: boolean) => string;

const MASK = "[redacted]";
/** From this length on a token is told from ordinary words, and taken out wherever it stands. */
const BARE_LENGTH = 16;
/** A shorter beginning of a token at the end of a cut text gives nothing away. */
const CUT_LENGTH = 4;

/**
 * Makes the redaction for one call. A token goes after `Bearer` always, and by itself from 16 characters on; also where
 * it is JSON-escaped (`\/`, `\u002f`).
 */
export function createRedact(tokens: readonly string[]): Redact {
  return (text, cut = false) => tokens.reduce((rest, token) => withoutToken(rest, token, cut), text);
}

function withoutToken(text: string, token: string, cut: boolean): string {
  const isShort = token.length < BARE_LENGTH;
  const starts = isShort ? /\bbearer\s+/gi : firstCharacterOf(token);
  const leastCut = cut ? (isShort ? 1 : CUT_LENGTH) : token.length;
  let result = "";
  let done = 0;
  for (let match = starts.exec(text); match; match = starts.exec(text)) {
    const start = isShort ? starts.lastIndex : match.index;
    const end = endOfToken(text, start, token, leastCut);
    if (end === -1) continue;
    result += text.slice(done, start) + MASK;
    done = end;
    starts.lastIndex = end;
  }
  return result + text.slice(done);
}

/** Every place where a token may begin, plain or escaped. */
function firstCharacterOf(token: string): RegExp {
  return new RegExp(`${token.charAt(0).replace(/\W/, "\\$&")}|\\\\`, "g");
}

/**
 * Where a token that begins at `start` ends; -1 where another text stands there. A text that ends within the token has
 * to hold `leastCut` characters of it.
 */
function endOfToken(text: string, start: number, token: string, leastCut: number): number {
  let at = start;
  for (let i = 0; i < token.length; i++) {
    const length = lengthOfCharacter(text, at, token.charAt(i));
    if (length === 0) return i >= leastCut && isEndOrCutEscape(text, at) ? text.length : -1;
    at += length;
  }
  return at;
}

/** How many characters of the text, plain or as a JSON escape, stand for `character`; 0 where they do not. */
function lengthOfCharacter(text: string, at: number, character: string): number {
  if (text.charAt(at) === "\\") {
    if (text.charAt(at + 1) === character) return 2;
    const [, code] = /^\\u([0-9a-f]{4})/i.exec(text.slice(at, at + 6)) ?? [];
    if (code !== undefined && Number.parseInt(code, 16) === character.charCodeAt(0)) return 6;
  }
  return text.charAt(at) === character ? 1 : 0;
}

function isEndOrCutEscape(text: string, at: number): boolean {
  return /^(?:\\(?:u[0-9a-f]{0,3})?)?$/i.test(text.slice(at, at + 6));
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

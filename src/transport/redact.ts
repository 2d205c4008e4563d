/**
 * Removes every token of a call from a text; `isTruncated` means that the text may end within a token. Keeps the first
 * `maxLength` characters of a long text, and reads only as far as a token at their end may reach.
 */
export type Redact = (text: string, isTruncated?: boolean, maxLength?: number) => string;

const MASK = "[redacted]";
/** A token of at least this length cannot be an ordinary word, and is removed everywhere. */
const BARE_LENGTH = 16;
/** A shorter prefix of a token at the end of a truncated text reveals nothing useful. */
const TRUNCATED_LENGTH = 4;

/**
 * Creates the redaction for one call. A token is removed after `Bearer`, and everywhere from 16 characters on, even if
 * it is JSON-escaped one or more times (`\/`, `\u002f`) or percent-encoded (`%2F`). The token is never compiled to a
 * regular expression: V8 rejects one of 4 kB.
 */
export function createRedact(tokens: readonly string[]): Redact {
  const longest = Math.max(0, ...tokens.map(({ length }) => length));
  const plain = tokens.map(plainOf);
  return (text, isTruncated = false, maxLength = Number.POSITIVE_INFINITY) => {
    const start = text.slice(0, maxLength + longest);
    const isCut = isTruncated || start.length < text.length;
    // The common case: a text without escapes that contains no token.
    const isClean = !isCut && !ESCAPED.test(start) && !plain.some((token) => start.includes(token));
    const redacted = isClean ? start : tokens.reduce((rest, token) => withoutToken(rest, token, isCut), start);
    return redacted.slice(0, maxLength);
  };
}

const ESCAPED = /[\\%]/;

function plainOf(token: string): string {
  return unescapeText(token).plain || token;
}

function withoutToken(text: string, token: string, isTruncated: boolean): string {
  const sought = plainOf(token);
  const { plain, starts, ends } = unescapeText(isTruncated ? text.replace(TRUNCATED_ESCAPE, "") : text);
  const find = token.length < BARE_LENGTH ? placesAfterBearer : placesAnywhere;
  let result = "";
  let done = 0;
  for (const [start, end] of find(sought, plain, isTruncated)) {
    result += text.slice(done, starts?.[start] ?? start) + MASK;
    done = ends?.[end - 1] ?? end;
  }
  return result + text.slice(done);
}

type Places = (token: string, text: string, isTruncated: boolean) => Generator<readonly [start: number, end: number]>;

const placesAfterBearer: Places = function* (token, text, isTruncated) {
  for (const { index, 0: bearer } of text.matchAll(/\bbearer\s+/gi)) {
    const start = index + bearer.length;
    const rest = text.slice(start, start + token.length);
    const isPart = isTruncated && rest !== "" && token.startsWith(rest);
    if (rest === token || isPart) yield [start, start + rest.length];
  }
};

const placesAnywhere: Places = function* (token, text, isTruncated) {
  let end = 0;
  for (let start = text.indexOf(token); start !== -1; start = text.indexOf(token, end)) {
    end = start + token.length;
    yield [start, end];
  }
  const longest = isTruncated ? Math.min(token.length - 1, text.length - end) : 0;
  for (let length = longest; length >= TRUNCATED_LENGTH; length--) {
    if (text.endsWith(token.slice(0, length))) return yield [text.length - length, text.length];
  }
};

/** One or more backslashes (each level of quoting doubles them) with the code unit that they may encode. */
const ESCAPE = /\\+(?:u([\da-f]{4}))?|%([\da-f]{2})|[^\\%]+|%/gi;
const TRUNCATED_ESCAPE = /(?:\\u[\da-f]{0,3}|%[\da-f]?)$/i;

/** Decodes the escapes in a text, with the original position of each character if any position differs. */
function unescapeText(text: string): { plain: string; starts?: number[]; ends?: number[] } {
  if (!ESCAPED.test(text)) return { plain: text };
  let plain = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { index, 0: part, 1: unit, 2: octet } of text.matchAll(ESCAPE)) {
    const code = unit ?? octet;
    const characters = code ? String.fromCharCode(Number.parseInt(code, 16)) : part;
    if (characters.startsWith("\\")) continue;
    plain += characters;
    for (let i = 0; i < characters.length; i++) {
      starts.push(index + i);
      ends.push(index + (code ? part.length : i + 1));
    }
  }
  return { plain, starts, ends };
}

/**
 * Removes the tokens from every string and name of a JSON value, in place, and keeps at most `maxLength` characters of
 * each. Iterative, because a body can be nested deeper than the stack allows.
 */
export function redactJson(value: object, redact: Redact, maxLength: number): void {
  const open: object[] = [value];
  for (let node = open.pop(); node; node = open.pop()) {
    const fields = node as Record<string, unknown>;
    for (const [name, field] of Object.entries(fields)) {
      if (typeof field === "string") fields[name] = redact(field, false, maxLength);
      else if (typeof field === "object" && field !== null) open.push(field);
      const newName = redact(name, false, maxLength);
      if (newName === name) continue;
      fields[newName] = fields[name];
      delete fields[name];
    }
  }
}

/** Removes the tokens from the headers of a response; returns the same object if it contains none. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const pairs = [...headers];
  if (pairs.every(([name, value]) => redact(name) === name && redact(value) === value)) return headers;
  // The mask of a text is not valid in a header name.
  return new Headers(
    pairs.map(([name, value]): [string, string] => [redact(name) === name ? name : "redacted", redact(value)]),
  );
}

/**
 * Copies an error without tokens; the copy keeps name, message, stack, code, syscall, errors and cause. Cycles are cut,
 * and every value that an application can throw becomes readable.
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
  for (const key of ["code", "syscall", "hostname", "address", "port"]) {
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

/** The maximum number of errors kept from one chain or tree. */
const MAX_CAUSES = 32;

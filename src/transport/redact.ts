import { headersOf, type Reply, rawHeadersOf } from "./reply.ts";

/**
 * Removes every token of a call from a text, and cuts the text to `maxLength` characters. It reads no further than a
 * token at the cut may reach. `isTruncated` means that the text may end within a token.
 */
export type Redact = (text: string, isTruncated?: boolean, maxLength?: number) => string;

const MASK = "[redacted]";
/** A token of at least this length is too long to be an ordinary word, and is removed everywhere. */
const BARE_LENGTH = 16;
/** A shorter prefix of a token at the end of a truncated text reveals nothing useful. */
const TRUNCATED_LENGTH = 4;

/**
 * Creates the redaction for one call. A token is removed after `Bearer`, and one of at least 16 characters everywhere. It
 * may be escaped one or more times as in JSON (`\/`, `\u002f`) or URLs (`%2F`), or once as in HTML (`&#x2F;`). The token
 * is never compiled to a regular expression: V8 rejects one of 4 kB.
 */
export function createRedact(known: readonly string[]): Redact {
  // Header names and host names arrive in lower case.
  const tokens = [...new Set([...known, ...known.map((token) => token.toLowerCase())])];
  // The longest first: if one token begins with another, no rest of it may stay.
  tokens.sort((a, b) => b.length - a.length);
  const longest = tokens[0]?.length ?? 0;
  const sought = tokens.map((token): Sought => ({ token, plain: unescapeText(token).plain || token }));
  return (text, isTruncated = false, maxLength = Number.POSITIVE_INFINITY) => {
    const start = text.slice(0, maxLength + longest);
    const isCut = isTruncated || start.length < text.length;
    // The common case: a text without escapes that contains no token.
    const isClean = !isCut && !ESCAPED.test(start) && !sought.some(({ plain }) => start.includes(plain));
    const redacted = isClean ? start : sought.reduce((rest, one) => withoutToken(rest, one, isCut), start);
    const kept = redacted.slice(0, maxLength);
    // A copy: V8's slice would keep the whole text in memory.
    return isCut ? [...kept].join("") : kept;
  };
}

const ESCAPED = /[\\%&]/;

/** A token as it was sent, and without the escapes that it may contain itself. */
interface Sought {
  readonly token: string;
  readonly plain: string;
}

function withoutToken(text: string, { token, plain: sought }: Sought, isTruncated: boolean): string {
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
  for (const { index, 0: bearer } of text.matchAll(/\bbearer[\s+]+/gi)) {
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
  if (!isTruncated) return;
  // The longest beginning of this text that is also its end, in linear time (Knuth, Morris and Pratt).
  const joined = `${token}\0${text.slice(end).slice(-token.length)}`;
  const borders = [0];
  let length = 0;
  for (let i = 1; i < joined.length; i++) {
    while (length && joined[i] !== joined[length]) length = borders[length - 1] as number;
    borders.push(joined[i] === joined[length] ? ++length : length);
  }
  if (length >= TRUNCATED_LENGTH) yield [text.length - length, text.length];
};

/**
 * A backslash and `u`, a percent sign (each level of quoting adds `25` after it) or an HTML character reference, with the
 * code unit that it encodes; or text without escapes. Other backslashes match nothing: each level doubles them.
 */
const ESCAPE = /\\u([\da-f]{4})|%(?:25)*([\da-f]{2})|&#x0{0,4}([\da-f]{2});|&#0{0,4}(\d{2,3});|[^\\%&]+|[%&]/gi;
const TRUNCATED_ESCAPE = /(?:\\u[\da-f]{0,3}|%(?:25)*[\da-f]?|&(?:#x?[\da-f]{0,6})?)$/i;

/** Decodes the escapes in a text, with the original position of each character if any position differs. */
function unescapeText(text: string): { plain: string; starts?: number[]; ends?: number[] } {
  if (!ESCAPED.test(text)) return { plain: text };
  let plain = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { index, 0: part, 1: unit, 2: octet, 3: hex = unit ?? octet, 4: decimal } of text.matchAll(ESCAPE)) {
    const code = decimal ? Number(decimal) : Number.parseInt(hex as string, 16);
    const characters = code ? String.fromCharCode(code) : part;
    if (characters === "\\") continue;
    plain += characters;
    for (let i = 0; i < characters.length; i++) {
      starts.push(index + i);
      ends.push(index + (code ? part.length : i + 1));
    }
  }
  return { plain, starts, ends };
}

/**
 * Removes the tokens from every string, number and name of a JSON value, in place, and keeps at most `maxLength` characters of
 * each. A value nested too deeply becomes null, because in a logger `JSON.stringify`, which recurses, would overflow the
 * stack.
 */
export function redactJson(value: object, redact: Redact, maxLength: number): void {
  const open = [{ fields: value as Record<string, unknown>, level: 1 }];
  for (let node = open.pop(); node; node = open.pop()) {
    const { fields, level } = node;
    for (const [name, field] of Object.entries(fields)) {
      if (typeof field === "string") fields[name] = redact(field, false, maxLength);
      else if (typeof field === "number" && redact(`${field}`) !== `${field}`) fields[name] = MASK;
      else if (typeof field === "object" && field !== null) {
        if (level < MAX_LEVELS) open.push({ fields: field as Record<string, unknown>, level: level + 1 });
        else fields[name] = null;
      }
      const newName = redact(name, false, maxLength);
      if (newName === name) continue;
      fields[newName] = fields[name];
      delete fields[name];
    }
  }
}

/** The maximum number of levels kept of a JSON value. */
const MAX_LEVELS = 100;

/** The headers of a response without tokens: the same object if they contain none. */
export function redactHeaders(reply: Reply, redact: Redact): Headers {
  const headers = headersOf(reply);
  const raw = rawHeadersOf(reply);
  const isClean = (text: string) => redact(text) === text;
  // Searched as one text, because hardly any response contains a token.
  let all = "";
  for (const [name, value] of raw ? Object.entries(raw) : headers) all += `${name}: ${value}\n`;
  if (isClean(all)) return headers;
  // `[redacted]` is not a valid header name.
  return new Headers(
    [...headers].map(([name, value]): [string, string] => [isClean(name) ? name : "redacted", redact(value)]),
  );
}

/**
 * Copies an error without tokens; the copy keeps name, message, stack, code, syscall, errors and cause. Cycles are cut,
 * and no property of the copy throws.
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
  const read = (text: unknown) => redact(String(text), false, MAX_TEXT);
  const copy = new Error(read(message)) as Error & Record<string, unknown>;
  const define = (key: string, value: unknown) =>
    Object.defineProperty(copy, key, { value, writable: true, configurable: true });
  define("name", read(name));
  define("stack", typeof stack === "string" ? read(stack) : `${copy.name}: ${copy.message}`);
  for (const key of ["code", "syscall", "hostname", "address", "port", "path"]) {
    const value = source[key];
    if (typeof value === "number") copy[key] = value;
    if (typeof value === "string") copy[key] = read(value);
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

/** The maximum number of characters kept of each text in an error: some wrappers put a whole response body into it. */
const MAX_TEXT = 16_384;

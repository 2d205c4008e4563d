/**
 * Takes every token of a call out of a text; `isTruncated` says that the text may end within one. Of a long text only
 * the first `maxLength` characters are kept, and no more of it is read than a token at their end needs.
 */
export type Redact = (text: string, isTruncated?: boolean, maxLength?: number) => string;

const MASK = "[redacted]";
/** From this length on a token is told from ordinary words, and taken out wherever it stands. */
const BARE_LENGTH = 16;
/** A shorter beginning of a token at the end of a truncated text gives nothing away. */
const TRUNCATED_LENGTH = 4;

/**
 * Makes the redaction for one call. A token goes after `Bearer` always, and by itself from 16 characters on; also where
 * it is JSON-escaped (`\/`, `\u002f`), once or more often, or percent-encoded (`%2F`). No regular expression of the token: V8 refuses one of 4 kB.
 */
export function createRedact(tokens: readonly string[]): Redact {
  const longest = Math.max(0, ...tokens.map(({ length }) => length));
  return (text, isTruncated = false, maxLength = Number.POSITIVE_INFINITY) => {
    const start = text.slice(0, maxLength + longest);
    const isCut = isTruncated || start.length < text.length;
    return tokens.reduce((rest, token) => withoutToken(rest, token, isCut), start).slice(0, maxLength);
  };
}

function withoutToken(text: string, token: string, isTruncated: boolean): string {
  const sought = unescapeText(token).plain || token;
  // Nearly every text: nothing to take out, and no reason to look closer.
  if (!isTruncated && !/[\\%]/.test(text) && !text.includes(sought)) return text;
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

/** Backslashes, more of them the more often a text was quoted, and the code that they may stand for. */
const ESCAPE = /\\+(?:u([\da-f]{4}))?|%([\da-f]{2})|[^\\%]+|%/gi;
const TRUNCATED_ESCAPE = /(?:\\u[\da-f]{0,3}|%[\da-f]?)$/i;

/** A text without its escapes, and where each character of it stands in the text, where that differs. */
function unescapeText(text: string): { plain: string; starts?: number[]; ends?: number[] } {
  if (!/[\\%]/.test(text)) return { plain: text };
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
 * Takes the tokens out of every text of a JSON value, names included, in place, and keeps at most `maxLength` characters
 * of each. A loop, because a body can be nested deeper than any stack.
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

/** The headers of a reply without tokens: the same object where there are none in it. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const pairs = [...headers];
  if (pairs.every(([name, value]) => redact(name) === name && redact(value) === value)) return headers;
  // What stands for a token in a text could not stand in a name.
  return new Headers(
    pairs.map(([name, value]): [string, string] => [redact(name) === name ? name : "redacted", redact(value)]),
  );
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

/** So many errors of one chain or tree are kept. */
const MAX_CAUSES = 32;

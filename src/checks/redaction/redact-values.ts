import { describe } from "../describe.ts";
import { isPlain, MAX_LEVELS } from "../objects.ts";
import type { Redact } from "./redact-text.ts";

/** The headers of a response without tokens: the same object if they contain none. */
export function redactHeaders(headers: Headers, redact: Redact): Headers {
  const isClean = (text: string) => redact(text) === text;
  // Searched as one text, because hardly any response contains a token.
  let all = "";
  for (const [name, value] of headers) all += `${name}: ${value}\n`;
  if (isClean(all)) return headers;
  // `[redacted]` is not a valid header name.
  return new Headers(
    [...headers].map(([name, value]): [string, string] => [isClean(name) ? name : "redacted", redact(value)]),
  );
}

/** How many values are kept in all. */
const MAX_VALUES = 1_000;

/** The fields of an error that are read as texts. */
const TEXTS: readonly (string | symbol)[] = ["name", "message", "stack"];

/** Stands for what cannot be read: others throw what they like, and a getter or a Proxy may throw in its turn. */
const UNREADABLE = "(unreadable)";

/**
 * A JSON value, or an error with its causes, without tokens: the value itself if it consists of plain objects, arrays,
 * errors and primitives without one. Otherwise a copy, in which errors stay errors, other objects become plain ones, cycles
 * are cut, and each text has at most `maxLength` characters. In either one, no getter is left, and an error has texts for
 * its name, message and stack.
 */
export function redactValue<Value>(value: Value, redact: Redact, maxLength: number): Value {
  /** The copy of each object; undefined while it is being made, so that a cycle is cut. */
  const copies = new Map<object, object | undefined>();
  let left = MAX_VALUES;
  let isClean = true;
  const read = (text: string): string => {
    const redacted = redact(text, maxLength);
    isClean &&= redacted === text;
    return redacted;
  };
  const copy = (source: unknown, level: number): unknown => {
    if (typeof source !== "object" || source === null) {
      const text = read(String(source));
      isClean &&= typeof source !== "function";
      return text === String(source) && typeof source !== "function" ? source : text;
    }
    if (copies.has(source)) return copies.get(source);
    isClean &&= level <= MAX_LEVELS;
    if (level > MAX_LEVELS) return null;
    copies.set(source, undefined);
    const { isOrdinary, target, names } = shapeOf(source);
    isClean &&= isOrdinary;
    for (const name of names) {
      isClean &&= left > 0;
      if (left-- <= 0) break;
      const { get, enumerable = false } = Reflect.getOwnPropertyDescriptor(source, name) ?? {};
      // That of a stack is V8's own.
      isClean &&= !get || name === "stack";
      let redacted = copyField(source, name, level + 1);
      if (redacted === undefined) continue;
      if (target instanceof Error && TEXTS.includes(name) && typeof redacted !== "string") {
        isClean = false;
        redacted = describe(redacted);
      }
      const key = typeof name === "symbol" ? name : read(name);
      Object.defineProperty(target, key, { value: redacted, enumerable, writable: true, configurable: true });
    }
    copies.set(source, target);
    return target;
  };
  const copyField = (source: object, name: string | symbol, level: number): unknown => {
    try {
      return copy((source as Record<string | symbol, unknown>)[name], level);
    } catch {
      isClean = false;
      return UNREADABLE;
    }
  };
  const redacted = copyField({ value }, "value", 1) as Value;
  // V8 keeps the functions of each new error's stack, and with them what they refer to. Nothing refers to `value`.
  copies.clear();
  return isClean ? value : redacted;
}

/** An empty object of the kind of another one, and the names to copy, hidden ones included. */
function shapeOf(source: object): { isOrdinary: boolean; target: object; names: readonly (string | symbol)[] } {
  if (Array.isArray(source)) return { isOrdinary: true, target: [], names: Object.keys(source) };
  const isPlainObject = isPlain(source);
  // Of another realm, such as those of Node in Jest, an error is not an instance of the global class.
  const isError = source instanceof Error || (!isPlainObject && "message" in source);
  if (!isError) return { isOrdinary: isPlainObject, target: {}, names: Reflect.ownKeys(source) };
  const names = [...TEXTS, "cause", "errors", ...Reflect.ownKeys(source)];
  return { isOrdinary: source instanceof Error, target: new Error(), names: [...new Set(names)] };
}

/** The maximum number of characters kept of each text in a cause: some wrappers put a whole response body into it. */
const MAX_TEXT = 16_384;

/** The cause of an error without tokens. */
export function redactCause(cause: unknown, redact: Redact): unknown {
  return redactValue(cause, redact, MAX_TEXT);
}

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
 * errors and primitives without one or a cycle. Otherwise a copy, in which errors stay errors, other objects become plain
 * ones, cycles are cut, and each text has at most `maxLength` characters. In either one, no getter is left, and an error has
 * texts for its name, message and stack.
 */
export function redactValue<Value>(value: Value, redact: Redact, maxLength: number): Value {
  return new Walk((text) => redact(text, maxLength)).answer(value) as Value;
}

/** One walk over a value. The answer to each part of it is that part itself, if nothing has to change, or what replaces it. */
class Walk {
  /** The answer to each object; none while it is being found, which cuts a cycle. */
  readonly #answers = new Map<object, unknown>();
  #left = MAX_VALUES;

  constructor(private readonly redact: (text: string) => string) {}

  answer(value: unknown): unknown {
    try {
      return this.#value(value, 1);
    } catch {
      return UNREADABLE;
    } finally {
      // V8 keeps the functions of each new error's stack, and with them what they refer to.
      this.#answers.clear();
    }
  }

  #value(value: unknown, level: number): unknown {
    if (typeof value !== "object" || value === null) {
      const text = this.redact(String(value));
      return text === String(value) && typeof value !== "function" ? value : text;
    }
    if (this.#answers.has(value)) return this.#answers.get(value);
    if (level > MAX_LEVELS) return null;
    this.#answers.set(value, undefined);
    const answer = this.#object(value, level);
    this.#answers.set(value, answer);
    return answer;
  }

  #object(source: object, level: number): object {
    const { isOrdinary, target, names } = shapeOf(source);
    let isFit = isOrdinary;
    for (const name of names) {
      if (this.#left-- <= 0) {
        isFit = false;
        break;
      }
      const { value, isSame, enumerable } = this.#field(source, name, target instanceof Error, level + 1);
      const key = typeof name === "symbol" ? name : this.redact(name);
      isFit &&= isSame && key === name;
      if (value === undefined) continue;
      Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
    }
    return isFit ? source : target;
  }

  /** The answer to a field, and whether it is that field, without a getter. */
  #field(source: object, name: string | symbol, isOfError: boolean, level: number) {
    const { get, enumerable = false } = Reflect.getOwnPropertyDescriptor(source, name) ?? {};
    try {
      const given = (source as Record<string | symbol, unknown>)[name];
      const answer = this.#value(given, level);
      const isText = !isOfError || !TEXTS.includes(name) || answer === undefined || typeof answer === "string";
      // The getter of a stack is V8's own.
      const isSame = isText && Object.is(answer, given) && (!get || name === "stack");
      return { value: isText ? answer : describe(answer), isSame, enumerable };
    } catch {
      return { value: UNREADABLE, isSame: false, enumerable };
    }
  }
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

import { narrowInt64 } from "./int64.ts";
import type { NewPlant } from "./plant.ts";
import { isRecord } from "./schema.ts";

/**
 * The request body of a valid plant, with the id as a bare JSON integer, digit for digit.
 *
 * A template, because `JSON.stringify` refuses a bigint. Lone surrogates are sent as `\udXXX` escapes (well-formed
 * JSON.stringify), because UTF-8 cannot encode them.
 */
export function encodeNewPlant(plant: NewPlant): string {
  const { id, name } = plant;
  // A polluted Object.prototype must not add a tag. Checking Object.hasOwn for every plant would cost more.
  const tag = "tag" in Object.prototype && !Object.hasOwn(plant, "tag") ? undefined : plant.tag;
  // Most strings need no escaping, and the test is cheaper than JSON.stringify.
  if (tag === undefined) {
    return ESCAPED.test(name) ? `{"id":${id},"name":${JSON.stringify(name)}}` : `{"id":${id},"name":"${name}"}`;
  }
  return ESCAPED.test(name) || ESCAPED.test(tag)
    ? `{"id":${id},"name":${JSON.stringify(name)},"tag":${JSON.stringify(tag)}}`
    : `{"id":${id},"name":"${name}","tag":"${tag}"}`;
}

/** The response body of a plant, in the form of `JSON.stringify`. */
export function encodePlant({ name, tag }: Pick<NewPlant, "name" | "tag">): string {
  if (ESCAPED.test(name) || ESCAPED.test(tag ?? "")) return JSON.stringify({ name, tag });
  return tag === undefined ? `{"name":"${name}"}` : `{"name":"${name}","tag":"${tag}"}`;
}

/** Characters that JSON.stringify escapes: control characters, quotes, backslashes and (lone) surrogates. */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * `JSON.parse`, except that the top-level `id` is exact: a `number` if that is exact, else a `bigint`, and `NaN` if
 * `JSON.parse` would round it to an integer (`1e-400`).
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function decodeNewPlant(text: string): unknown {
  const common = COMMON_FORM.exec(text);
  if (common) {
    const [, id, name, tag] = common as unknown as [string, string, string, string?];
    return tag === undefined ? { id: integerOf(id), name } : { id: integerOf(id), name, tag };
  }
  const value: unknown = JSON.parse(text);
  if (isRecord(value) && Object.hasOwn(value, "id") && typeof value.id === "number") {
    const isExact = Number.isSafeInteger(value.id) && !MAY_HAVE_FRACTION.test(text);
    value.id = isExact ? narrowInt64(value.id) : exactInteger(lastTopLevelId(text), value.id);
  }
  return value;
}

/** The form that nearly every client sends. Matching it costs less than `JSON.parse`, and gives the digits of the id. */
const COMMON_FORM = /^\{"id":(0|-?[1-9]\d{0,18}),"name":"([ !#-[\]-\uffff]*)"(?:,"tag":"([ !#-[\]-\uffff]*)")?\}$/;

/** `1.00000000000000000001` and `1e-400` parse to integers but are not: then the id is read from the text. */
const MAY_HAVE_FRACTION = /\d[.eE]/;

/** The integer with the given digits. */
function integerOf(digits: string): number | bigint {
  return digits.length < 16 ? Number(digits) : narrowInt64(BigInt(digits));
}

/**
 * The exact integer of a JSON number's text. If there is none, the number itself, or `NaN` if it was rounded to an integer.
 * Zeros are counted in loops, because a pattern such as /0+$/ takes quadratic time on a million of them.
 */
function exactInteger(text: string, parsed: number): number | bigint {
  if (!Number.isInteger(parsed)) return parsed;
  const sign = text.startsWith("-") ? "-" : "";
  const [mantissa, exponent] = text.slice(sign.length).split(/[eE]/) as [string, string?];
  const [whole, fraction = ""] = mantissa.split(".") as [string, string?];
  const digits = whole + fraction;
  let end = digits.length;
  while (digits[end - 1] === "0") end--;
  if (end === 0) return 0;
  let start = 0;
  while (digits[start] === "0") start++;
  const zeros = digits.length - end + Number(exponent ?? 0) - fraction.length;
  if (zeros < 0) return Number.NaN;
  return integerOf(`${sign}${digits.slice(start, end)}${"0".repeat(zeros)}`);
}

/**
 * The text of the last top-level `id` (the one that `JSON.parse` keeps) in the JSON text of an object.
 * Iterative: a recursive parser overflows the stack on a deeply nested body.
 */
function lastTopLevelId(text: string): string {
  let id = "";
  let depth = 0;
  let key = "";
  let string = "";
  for (const { token } of jsonTokens(text)) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth !== 1) continue;
    else if (token === ":") key = JSON.parse(string);
    else if (token[0] === '"') string = token;
    else if (key === "id") id = token;
  }
  return id;
}

/** Replaces the numbers in JSON text, but not in its strings. */
export function replaceNumbers(text: string, replace: (number: string) => string): string {
  let result = "";
  let done = 0;
  for (const { token, index } of jsonTokens(text)) {
    if (!NUMBER_START.test(token)) continue;
    result += text.slice(done, index) + replace(token);
    done = index + token.length;
  }
  return result + text.slice(done);
}

/** The brackets, colons, whole strings and numbers of JSON text. */
function* jsonTokens(text: string): Generator<{ token: string; index: number }, undefined> {
  let end = 0;
  while (true) {
    TOKEN_START.lastIndex = end;
    const start = TOKEN_START.exec(text);
    if (!start) return;
    const { 0: found, index } = start;
    end = found === '"' ? endOfString(text, index) : index + found.length;
    yield { token: text.slice(index, end), index };
  }
}

/** A whole number, or the first character of another token. A pattern for strings would overflow V8's stack on long ones. */
const TOKEN_START = /[{}[\]:"]|-?\d[\d.eE+-]*/g;
const NUMBER_START = /^[-\d]/;

/** The end of a string; of one that is not closed, the end of the text. */
function endOfString(text: string, start: number): number {
  let quote = start;
  do {
    quote = text.indexOf('"', quote + 1);
    if (quote === -1) return text.length;
  } while (isEscaped(text, quote));
  return quote + 1;
}

/** Whether an odd number of backslashes precedes a character. */
function isEscaped(text: string, index: number): boolean {
  let start = index;
  while (text[start - 1] === "\\") start--;
  return (index - start) % 2 === 1;
}

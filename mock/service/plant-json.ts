import { isRecord } from "../../src/checks/objects.ts";
import { narrowInt64 } from "../../src/contract/int64.ts";
import {
  NEW_PLANT_FIELDS,
  NEW_PLANT_NAMES,
  PLANT_NAMES,
  type Plant,
  type ValidNewPlant,
} from "../../src/contract/plant.ts";

/** The response body of a plant. `JSON.stringify` omits a field that is `undefined`. */
export function encodePlant(plant: Pick<ValidNewPlant, keyof Plant>): string {
  const body: Partial<Record<keyof Plant, string | undefined>> = {};
  for (const name of PLANT_NAMES) body[name] = plant[name];
  return JSON.stringify(body);
}

const INT64_NAMES = NEW_PLANT_NAMES.filter((name) => NEW_PLANT_FIELDS[name].type === "int64");

/**
 * `JSON.parse`, except that the int64 fields of the object are exact: a `number` if that is exact, else a `bigint`, and
 * `NaN` if `JSON.parse` would round it to an integer (`1e-400`).
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function decodeNewPlant(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value)) return value;
  for (const name of INT64_NAMES) {
    const parsed = value[name];
    if (typeof parsed !== "number") continue;
    const isExact = Number.isSafeInteger(parsed) && !MAY_HAVE_FRACTION.test(text);
    value[name] = isExact ? narrowInt64(parsed) : exactInteger(textOf(name, text), parsed);
  }
  return value;
}

/** `1.00000000000000000001` and `1e-400` parse to integers but are not: then the id is read from the text. */
const MAY_HAVE_FRACTION = /\d[.eE]/;

/** The text of a number, as `JSON.parse` finds it: the last one of a repeated name. */
function textOf(name: string, text: string): string {
  return JSON.parse(replaceNumbers(text, (number) => `"${number}"`))[name];
}

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

/** Replaces the numbers in JSON text, but not in its strings. */
export function replaceNumbers(text: string, replace: (number: string) => string): string {
  let result = "";
  let done = 0;
  let end = 0;
  while (true) {
    STRING_OR_NUMBER.lastIndex = end;
    const start = STRING_OR_NUMBER.exec(text);
    if (!start) return result + text.slice(done);
    const { 0: found, index } = start;
    end = found === '"' ? endOfString(text, index) : index + found.length;
    if (found === '"') continue;
    result += text.slice(done, index) + replace(found);
    done = end;
  }
}

/** A whole number, or the beginning of a string. A pattern for strings would overflow V8's stack on long ones. */
const STRING_OR_NUMBER = /"|-?\d[\d.eE+-]*/g;

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

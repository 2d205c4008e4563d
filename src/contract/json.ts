import { INT64_MAX, narrowInt64 } from "./int64.ts";
import type { NewPlant } from "./plant.ts";

/**
 * The request body of a valid plant, with the id as a bare JSON integer, digit for digit.
 *
 * A template, because `JSON.stringify` refuses a bigint. Lone surrogates leave as `\udXXX` escapes (well-formed
 * JSON.stringify), so that nothing is replaced on the way.
 */
export function encodeNewPlant(plant: NewPlant): string {
  const { id, name } = plant;
  // A polluted Object.prototype must not add one; to ask of every plant whether it is its own would cost more.
  const tag = "tag" in Object.prototype && !Object.hasOwn(plant, "tag") ? undefined : plant.tag;
  // Most texts need no escape; to look is cheaper than JSON.stringify.
  if (tag === undefined) {
    return ESCAPED.test(name) ? `{"id":${id},"name":${JSON.stringify(name)}}` : `{"id":${id},"name":"${name}"}`;
  }
  return ESCAPED.test(name) || ESCAPED.test(tag)
    ? `{"id":${id},"name":${JSON.stringify(name)},"tag":${JSON.stringify(tag)}}`
    : `{"id":${id},"name":"${name}","tag":"${tag}"}`;
}

/** What JSON.stringify escapes: a control character, a quote, a backslash, a surrogate (which may be a lone one). */
const ESCAPED = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/**
 * `JSON.parse`, except that the top-level `id` is exact: a `number` where that holds it, else a `bigint`, and `NaN`
 * where the digits in the text are no integer in reach of int64 (`1.5`, `1e-400`, `1e400`).
 *
 * @throws SyntaxError as `JSON.parse` does.
 */
export function decodeNewPlant(text: string): unknown {
  const [, id, name, tag] = COMMON_FORM.exec(text) ?? [];
  if (id !== undefined) return tag === undefined ? { id: integer(id), name } : { id: integer(id), name, tag };

  const value: unknown = JSON.parse(text);
  const body = value as { id?: unknown } | null;
  if (typeof body?.id === "number") {
    const isExact = Number.isSafeInteger(body.id) && !MAY_HAVE_FRACTION.test(text);
    body.id = isExact ? body.id + 0 : exactInteger(lastTopLevelId(text)); // + 0 makes 0 of -0
  }
  return value;
}

/** What nearly every client sends; to match it costs less than `JSON.parse`, and its digits are at hand. */
const COMMON_FORM = /^\{"id":(0|-?[1-9]\d{0,18}),"name":"([ !#-[\]-\uffff]*)"(?:,"tag":"([ !#-[\]-\uffff]*)")?\}$/;

/** `1.00000000000000000001` and `1e-400` parse to integers, and are none: where such a number may be, look again. */
const MAY_HAVE_FRACTION = /\d[.eE]/;

/** The integer that some digits are. */
function integer(digits: string): number | bigint {
  return digits.length < 16 ? Number(digits) : narrowInt64(BigInt(digits));
}

/** The exact integer of a JSON number's text, or `NaN` where it is none, or far beyond int64. */
function exactInteger(text: string): number | bigint {
  // JSON.parse took it for a number, and so it matches.
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) as unknown as string[];
  const [, sign, whole, fraction = "", exponent = "0"] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return 0;
  const zeros = digits.length - significant.length + Number(exponent) - fraction.length;
  if (zeros < 0 || significant.length + zeros > MAX_DIGITS) return Number.NaN;
  return integer(`${sign}${significant}${"0".repeat(zeros)}`);
}

const MAX_DIGITS = `${INT64_MAX}`.length;

/**
 * The text of the last top-level `id` (the one that `JSON.parse` keeps) in a text that `JSON.parse` took for an object.
 * Iterative: a recursive parser overflows the stack on a deeply nested body.
 */
function lastTopLevelId(text: string): string {
  let id = "";
  let depth = 0;
  let key = "";
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const [token] = match;
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth--;
    else if (depth !== 1) continue;
    else if (token.endsWith(":")) key = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1));
    else if (key === "id") id = token;
  }
  return id;
}

/** The source of a pattern for a string in JSON. */
export const JSON_STRING: string = /"(?:[^"\\]|\\.)*"/.source;

/** A bracket, a string (with the colon, where it is a key), or a number. */
const TOKEN = /* @__PURE__ */ new RegExp(`[{}[\\]]|${JSON_STRING}(?:[ \\t\\n\\r]*:)?|-?\\d[\\d.eE+-]*`, "g");

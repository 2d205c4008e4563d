import { randomUUID } from "node:crypto";
import { replaceNumbers } from "../service/plant-json.ts";

/** Prefix of a string that represents an integer in intermediate JSON. Random, so that no input can contain it. */
const MARK = `int-${randomUUID()}:`;
const MARKED = new RegExp(`"${MARK}(-?\\d+)"`, "g");

/** `JSON.stringify`, except that a bigint becomes a JSON integer with the same digits. Node 20 lacks `JSON.rawJSON`. */
export function encodeExactJson(value: unknown): string {
  return JSON.stringify(value, markBigint).replace(MARKED, "$1");
}

function markBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${MARK}${value}` : value;
}

/**
 * `JSON.parse`, except that an integer beyond 2^53 becomes a bigint.
 *
 * @throws SyntaxError as `JSON.parse` does; RangeError if it is nested too deeply.
 */
export function decodeExactJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!/\d{16}/.test(text)) return value;
  return JSON.parse(replaceNumbers(text, markUnsafe), readMarked);
}

/** The same; undefined if the text is not JSON. */
export function decodeIfJson(text: string): unknown {
  try {
    return decodeExactJson(text);
  } catch {
    return undefined;
  }
}

function readMarked(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.startsWith(MARK) ? BigInt(value.slice(MARK.length)) : value;
}

function markUnsafe(token: string): string {
  return /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${MARK}${token}"` : token;
}

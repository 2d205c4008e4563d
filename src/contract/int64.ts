import { describe } from "../checks/describe.ts";
import type { Rule } from "../checks/rules.ts";

// Not 2n ** 63n: compilers for old browsers replace `**` by Math.pow, which rejects a bigint.
/** The smallest int64, -2^63. */
export const INT64_MIN = -(1n << 63n);

/** The largest int64, 2^63 - 1. */
export const INT64_MAX = (1n << 63n) - 1n;

/** The rule in words, for issues and responses. */
export const INT64_RULE = `must be an integer from ${INT64_MIN} to ${INT64_MAX}`;

/**
 * Whether a value holds an int64 exactly.
 *
 * A `number` must be a safe integer: beyond 2^53 it may be the rounded form of another id.
 */
export function isInt64(value: unknown): value is number | bigint {
  return typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
}

/** The same integer as a `number` if that is exact, else as a `bigint`. -0 becomes 0. */
export function narrowInt64(value: number | bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number + 0 : value;
}

/**
 * The integer that a text of digits stands for, which may lie outside int64; `undefined` for an empty text, and the text
 * itself for any other. A text of more than 100 digits is not read, because that takes long.
 */
export function readInteger(text: string): number | bigint | string | undefined {
  if (text === "") return undefined;
  return /^-?\d{1,100}$/.test(text) ? narrowInt64(BigInt(text)) : text;
}

/** An int64 that the value holds exactly. */
export const int64: Rule = (value) => {
  if (isInt64(value)) return undefined;
  const message = `${INT64_RULE}, not ${describe(value)}`;
  if (Number.isInteger(value)) return `${message}; above 2^53 a number may be rounded: pass a bigint`;
  const isDigits = typeof value === "string" && /^-?\d{1,19}$/.test(value) && isInt64(BigInt(value));
  return isDigits ? `${message}: convert the text to an integer` : message;
};

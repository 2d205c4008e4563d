import { describe, kindOf } from "./describe.ts";
import { INT64_RULE, isInt64 } from "./int64.ts";

/** Returns the rule that a value breaks, in words, or `undefined` if the value is valid. */
export type Rule = (value: unknown) => string | undefined;

/** The longest delay of a timer, in milliseconds: a longer one fires at once. It is the largest int32. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** An integer within limits. */
export const integer =
  (min: number, max: number = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}, not ${describe(value)}`;

/** An int32. */
export const int32: Rule = /* @__PURE__ */ integer(-MAX_TIMER_MS - 1, MAX_TIMER_MS);

/** An int64 that the value holds exactly. */
export const int64: Rule = (value) => {
  if (isInt64(value)) return undefined;
  const message = `${INT64_RULE}, not ${describe(value)}`;
  if (Number.isInteger(value)) return `${message}; above 2^53 a number may be rounded: pass a bigint`;
  const isDigits = typeof value === "string" && /^-?\d{1,19}$/.test(value) && isInt64(BigInt(value));
  return isDigits ? `${message}: remove the quotes, or pass BigInt(${describe(value)})` : message;
};

export const string: Rule = (value) =>
  typeof value === "string" ? undefined : `must be a string, not ${describe(value)}`;

/** Creates the rule of a text that may be secret: its message shows only the first character that is forbidden. */
export const secret =
  (expected: string, forbidden: RegExp): Rule =>
  (value) => {
    if (typeof value !== "string") return `must be a string, not ${kindOf(value)}`;
    const at = value.search(forbidden);
    return at < 0 ? undefined : `must be ${expected}; character ${at + 1} is ${JSON.stringify(value[at])}`;
  };

/** Creates the rule of a field that may be absent. */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

/** Creates the rule of a required field. */
export const required =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? "is required" : rule(value);

import { INT64_RULE, isInt64 } from "./int64.ts";

/** The rule that a value breaks, in words, or `undefined` if it keeps it. */
export type Rule = (value: unknown) => string | undefined;

/** The longest time of a timer, in milliseconds: a longer one fires at once. It is the largest int32. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** An integer within limits. */
export const integer =
  (min: number, max: number = Number.MAX_SAFE_INTEGER): Rule =>
  (value) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max
      ? undefined
      : `must be an integer from ${min} to ${max}`;

/** An int32. */
export const int32: Rule = /* @__PURE__ */ integer(-MAX_TIMER_MS - 1, MAX_TIMER_MS);

/** An int64 that the value holds exactly. */
export const int64: Rule = (value) => {
  if (isInt64(value)) return undefined;
  // The one mistake that looks right: an int64 that was rounded on its way into a number.
  return Number.isInteger(value) ? `${INT64_RULE}; above 2^53 a number may be rounded: pass a bigint` : INT64_RULE;
};

/** A string. */
export const string: Rule = (value) => (typeof value === "string" ? undefined : "must be a string");

/** A rule for a field that may be absent. */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

/** A rule for a field that must be there. */
export const required =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? "is required" : rule(value);

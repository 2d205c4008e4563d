import { INT64_RULE, isInt64 } from "./int64.ts";

/** The rule that a value breaks, in words, or `undefined` where it keeps it. */
export type Rule = (value: unknown) => string | undefined;

/** What a rule says of a field that is not there, and must be. */
const REQUIRED = "is required";

export const requiredString: Rule = (value) => (value === undefined ? REQUIRED : optionalString(value));

export const optionalString: Rule = (value) =>
  value === undefined || typeof value === "string" ? undefined : "must be a string";

export const int32: Rule = (value) => {
  if (value === undefined) return REQUIRED;
  const isInt32 = typeof value === "number" && (value | 0) === value;
  return isInt32 ? undefined : "must be an integer from -2147483648 to 2147483647";
};

export const int64: Rule = (value) => {
  if (isInt64(value)) return undefined;
  if (value === undefined) return REQUIRED;
  // The one mistake that looks right: an int64 that was rounded on its way into a number.
  return Number.isInteger(value) ? `${INT64_RULE}; above 2^53 a number may be rounded: pass a bigint` : INT64_RULE;
};

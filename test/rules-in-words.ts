import { INT64_MAX, INT64_MIN } from "./int64-values.ts";

/** The words of the rules that many fields and options share. Each test names the rule, and what was received. */
export const mustBe = {
  object: "must be an object, not",
  string: "must be a string, not",
  boolean: "must be true or false, not",
  callable: "must be a function, not",
  signal: "must be an AbortSignal, not",
  clock: "must be a Clock, not",
  json: "must be JSON, not",
  host: "must be a host name or an address, not",
  aboveZero: "must be a number above 0, not",
  int64: `must be an integer from ${INT64_MIN} to ${INT64_MAX}, not`,
  /** Of the id by which a stored plant is looked up. */
  storedId: "must be an int64, as a safe number or a bigint, not",
  acceptOrReject: 'must be "accept" or "reject", not',
  log: 'must be "pretty" or "json" or "silent", not',
  integer: (min: number, max: number) => `must be an integer from ${min} to ${max}, not`,
};

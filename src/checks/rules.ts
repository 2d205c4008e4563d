import { describe, describeCharacter, kindOf } from "./describe.ts";

/** Returns the rule that a value breaks, in words, or `undefined` if the value is valid. */
export type Rule = (value: unknown) => string | undefined;

/** The rule of each field or option. */
export type Rules<Fields> = { readonly [Name in keyof Fields]-?: Rule };

/** The rules of some fields, as a list: it is read with less work than the properties of an object. */
export type FieldRules = readonly { readonly name: string; readonly rule: Rule }[];

/** The longest delay of a timer, in milliseconds: a longer one fires at once. It is the largest int32. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1;

/** Creates a rule from a check, and a description of the values that pass it. */
export const mustBe =
  (expected: string, isValid: (value: unknown) => boolean): Rule =>
  (value) =>
    isValid(value) ? undefined : `must be ${expected}, not ${describe(value)}`;

export const string: Rule = /* @__PURE__ */ mustBe("a string", (value) => typeof value === "string");
export const boolean: Rule = /* @__PURE__ */ mustBe("true or false", (value) => typeof value === "boolean");
export const callable: Rule = /* @__PURE__ */ mustBe("a function", (value) => typeof value === "function");

/** One of a few strings. */
export const oneOf = (...texts: readonly string[]): Rule =>
  mustBe(`"${texts.join('" or "')}"`, (value) => texts.includes(value as string));

/** An integer within limits. */
export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): Rule =>
  mustBe(
    `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );

/** An int32. */
export const int32: Rule = /* @__PURE__ */ integer(-MAX_TIMER_MS - 1, MAX_TIMER_MS);

/** Any value: it is checked where it is read. */
export const checkedLater: Rule = () => undefined;

/** Creates the rule of a text that may be secret: its message shows only the first character that is forbidden. */
export const secret =
  (expected: string, forbidden: RegExp): Rule =>
  (value) => {
    if (typeof value !== "string") return `must be a string, not ${kindOf(value)}`;
    const at = value.search(forbidden);
    return at < 0 ? undefined : `must be ${expected}; ${describeCharacter(value, at)}`;
  };

/** Creates the rule of a field that may be absent. */
export const optional =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? undefined : rule(value);

/** Creates the rule of a field that may be absent or null, which means the same. */
export const nullable =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined || value === null ? undefined : rule(value);

/** Creates the rule of a required field. */
export const required =
  (rule: Rule): Rule =>
  (value) =>
    value === undefined ? "is required" : rule(value);

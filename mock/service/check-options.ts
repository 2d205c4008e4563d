import { type OptionWords, readOptions } from "../../src/contract/options.ts";
import type { Rule } from "../../src/contract/rules.ts";

/**
 * Copies options into a new object.
 *
 * @param names - Every known name.
 * @throws TypeError that names the option which is unknown, inherited or an accessor.
 */
export function checkOptions<Options extends object>(
  given: Options | undefined,
  names: readonly (keyof Options & string)[],
  words?: OptionWords,
): Options {
  const { options, problem } = readOptions<Options>(given === undefined ? {} : given, names, words);
  if (problem !== undefined) throw new TypeError(problem.message);
  return options;
}

/**
 * Checks a value against a rule.
 *
 * @throws TypeError that names the value and the rule.
 */
export function checkRule(rule: Rule, value: unknown, name: string): void {
  const problem = rule(value);
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
}

/** The rule for one of a few strings. */
export const oneOf =
  (...texts: readonly string[]): Rule =>
  (value) =>
    texts.includes(value as string) ? undefined : `must be ${texts.map((text) => JSON.stringify(text)).join(" or ")}`;

/** The rule for a value of one type. */
export const typed =
  (type: "boolean" | "function" | "object"): Rule =>
  (value) => {
    const found = typeof value;
    return found === type ? undefined : `must be ${type === "object" ? "an" : "a"} ${type}`;
  };

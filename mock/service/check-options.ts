import { type OptionWords, readOptions } from "../../src/contract/options.ts";
import { optional, type Rule, type Rules } from "../../src/contract/rules.ts";

/**
 * Copies options into a new object, and checks each one that is present.
 *
 * @throws TypeError that names the first option that is unknown, inherited, an accessor or invalid.
 */
export function checkOptions<Options extends object>(
  given: Options | undefined,
  rules: Rules<Options>,
  words?: OptionWords,
): Options {
  const present = Object.entries<Rule>(rules).map(([name, rule]) => [name, optional(rule)]);
  return checkFields(given === undefined ? ({} as Options) : given, Object.fromEntries(present), words);
}

/**
 * Copies fields into a new object, and checks each. A field is optional if its rule accepts `undefined`.
 *
 * @throws TypeError that names the first field that is unknown, inherited, an accessor or invalid.
 */
export function checkFields<Fields extends object>(
  given: Fields,
  rules: Rules<Fields>,
  words: OptionWords = {},
): Fields {
  const names = Object.keys(rules) as (keyof Fields & string)[];
  const { options, problem } = readOptions<Fields>(given, names, words);
  if (problem !== undefined) throw new TypeError(problem.message);
  for (const name of names) {
    throwIfProblem(words.within === undefined ? name : `${words.within}.${name}`, rules[name](options[name]));
  }
  return options;
}

/** @throws TypeError with the name and the problem, if there is a problem. */
export function throwIfProblem(name: string, problem: string | undefined): void {
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
}

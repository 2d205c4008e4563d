import { kindOf } from "../../src/checks/describe.ts";
import { readOptions } from "../../src/checks/options.ts";
import { optional, type Rule, type Rules } from "../../src/checks/rules.ts";
import { didYouMean } from "./did-you-mean.ts";

/** The words for options in messages. */
interface Words {
  /** The noun for an option, e.g. `field`; "option" by default. */
  readonly noun?: string;
  /** The option whose value they are, e.g. `auth`. */
  readonly within?: string;
}

/**
 * Copies options into a new object, and checks each one that is present.
 *
 * @throws TypeError that names the first option that is unknown or invalid.
 */
export function checkOptions<Options extends object>(
  given: Options | undefined,
  rules: Rules<Options>,
  words?: Words,
): Options {
  const present = Object.entries<Rule>(rules).map(([name, rule]) => [name, optional(rule)]);
  return checkFields(given === undefined ? ({} as Options) : given, Object.fromEntries(present), words);
}

/**
 * Copies fields into a new object, and checks each. A field is optional if its rule accepts `undefined`.
 *
 * @throws TypeError that names the first field that is unknown or invalid.
 */
export function checkFields<Fields extends object>(
  given: Fields,
  rules: Rules<Fields>,
  { within, noun }: Words = {},
): Fields {
  const names = Object.keys(rules) as (keyof Fields & string)[];
  const { options, problem } = readOptions<Fields>(given, names, { within, noun, hint: didYouMean });
  if (problem !== undefined) throw new TypeError(problem.message);
  for (const name of names) {
    throwIfProblem(within === undefined ? name : `${within}.${name}`, rules[name](options[name]));
  }
  return options;
}

/** @throws TypeError with the name and the problem, if there is a problem. */
export function throwIfProblem(name: string, problem: string | undefined): void {
  if (problem !== undefined) throw new TypeError(`${name}: ${problem}`);
}

/**
 * Reads the result of a function that a test supplies. An absent result is `false`.
 *
 * @throws TypeError for other values, such as the promise of an async function, which would count as true.
 */
export function readVerdict(verdict: unknown): boolean {
  if (typeof (verdict ?? false) === "boolean") return verdict === true;
  throw new TypeError(`it must return true or false, not ${kindOf(verdict)}`);
}

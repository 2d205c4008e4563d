import { type OptionWords, readOptions } from "./contract/options.ts";
import type { Rules } from "./contract/rules.ts";
import { PlantStoreConfigError } from "./errors.ts";

/**
 * Copies options into a new object, and checks each one that is present.
 *
 * @throws {@link PlantStoreConfigError} that names the option and the rule.
 */
export function checkOptions<Options extends object>(
  given: Options,
  rules: Rules<Options>,
  words?: OptionWords,
): Options {
  const names = Object.keys(rules) as (keyof Options & string)[];
  const { options, problem } = readOptions<Options>(given, names, words);
  if (problem) throw new PlantStoreConfigError(problem);
  for (const name of names) {
    const option = words?.within ? `${words.within}.${name}` : name;
    if (options[name] !== undefined) throwIfProblem(option, rules[name](options[name]));
  }
  return options;
}

/** @throws {@link PlantStoreConfigError} with the option and the problem, if there is a problem. */
export function throwIfProblem(option: string, problem: string | undefined): void {
  if (problem !== undefined) throw configError(option, problem);
}

export function configError(option: string, problem: string): PlantStoreConfigError {
  return new PlantStoreConfigError({ option, message: `${option} ${problem}` });
}

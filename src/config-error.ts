import { type OptionReport, readOptions } from "./checks/read-options.ts";
import type { Rules } from "./checks/rules.ts";
import { PlantStoreConfigError } from "./errors.ts";

const REPORT: OptionReport = {
  separator: " ",
  errorOf: (option, message) => new PlantStoreConfigError({ option, message }),
  checksAbsent: false,
};

/**
 * Copies options into a new object, and checks each one that is present.
 *
 * @param within - The option whose value they are, e.g. `backoff`.
 * @throws A {@link PlantStoreConfigError} that names the option and the rule.
 */
export function checkOptions<Options extends object>(given: Options, rules: Rules<Options>, within?: string): Options {
  return readOptions(given, rules, REPORT, { within });
}

/** @throws A {@link PlantStoreConfigError} with the option and the problem, if there is a problem. */
export function throwIfProblem(option: string, problem: string | undefined): void {
  if (problem !== undefined) throw configError(option, problem);
}

export function configError(option: string, problem: string): PlantStoreConfigError {
  return new PlantStoreConfigError({ option, message: `${option} ${problem}` });
}

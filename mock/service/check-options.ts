import { kindOf } from "../../src/checks/describe.ts";
import { type OptionReport, type OptionWords, readOptions } from "../../src/checks/read-options.ts";
import type { Rules } from "../../src/checks/rules.ts";

const OPTIONS: OptionReport = {
  separator: ": ",
  errorOf: (_, message) => new TypeError(message),
  checksAbsent: false,
};
const FIELDS: OptionReport = { ...OPTIONS, checksAbsent: true };

/**
 * Copies options into a new object, and checks each one that is present.
 *
 * @throws TypeError that names the first option that is unknown or invalid.
 */
export function checkOptions<Options extends object>(
  given: Options | undefined,
  rules: Rules<Options>,
  words?: OptionWords,
): Options {
  return readOptions(given === undefined ? {} : given, rules, OPTIONS, words);
}

/**
 * Copies fields into a new object, and checks each. A field is optional if its rule accepts `undefined`.
 *
 * @throws TypeError that names the first field that is unknown or invalid.
 */
export function checkFields<Fields extends object>(given: Fields, rules: Rules<Fields>, words?: OptionWords): Fields {
  return readOptions(given, rules, FIELDS, words);
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

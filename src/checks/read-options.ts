import { describe, kindOfArgument } from "./describe.ts";
import { hasFields } from "./objects.ts";
import type { Rules } from "./rules.ts";

/** The words for options in messages. */
export interface OptionWords {
  /** The option whose value they are, e.g. `auth`. */
  readonly within?: string | undefined;
  /** The noun for an option, e.g. `field`; "option" by default. */
  readonly noun?: string | undefined;
}

/** How one half of the package reports an option that is unknown or invalid. */
export interface OptionReport {
  /** Stands between the option and its problem. */
  readonly separator: " " | ": ";
  /** @param option - Its whole name, e.g. `auth.tokens`. */
  readonly errorOf: (option: string, message: string) => Error;
  /** Whether the rule of an absent option is asked too, as it may be required. */
  readonly checksAbsent: boolean;
}

/**
 * Copies options into a new object, reading each once, and checks it. They may be inherited, as in a configuration service
 * with getters; an own property of another name is refused.
 *
 * @throws The error of the first option that is unknown or invalid.
 */
export function readOptions<Options extends object>(
  given: unknown,
  rules: Rules<Options>,
  { separator, errorOf, checksAbsent }: OptionReport,
  { within, noun = "option" }: OptionWords = {},
): Options {
  const prefix = within ? `${within}.` : "";
  if (!hasFields(given)) {
    const option = within ?? `${noun}s`;
    throw errorOf(option, `${option} must be an object, not ${kindOfArgument(given)}`);
  }
  const names = Object.keys(rules) as (keyof Options & string)[];
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(rules, name)) throw errorOf(prefix + name, unknownName(prefix + name, names, noun));
  }
  const options: Record<string, unknown> = {};
  for (const name of names) {
    const value = given[name];
    options[name] = value;
    const problem = value === undefined && !checksAbsent ? undefined : rules[name](value);
    if (problem !== undefined) throw errorOf(prefix + name, `${prefix}${name}${separator}${problem}`);
  }
  return options as Options;
}

/** The message for an unknown name: `unknown option "timeout"; known options: signal, timeoutMs`. */
export function unknownName(name: string, known: readonly string[], noun = "option"): string {
  return `unknown ${noun} ${describe(name)}; known ${noun}s: ${known.join(", ") || "none"}`;
}

import { describe, kindOfArgument } from "./describe.ts";
import { hasFields } from "./schema.ts";

/** A problem of an object of options. */
export interface OptionProblem {
  /** The option, e.g. `auth.tokens`. */
  readonly option: string;
  /** A sentence that names the option and the rule. */
  readonly message: string;
}

/** Either every option by name, `undefined` if it is absent, or the first problem. */
export type ReadOptions<Options> =
  | { readonly options: Options; readonly problem?: undefined }
  | { readonly options?: undefined; readonly problem: OptionProblem };

/** The words for options in messages. */
export interface OptionWords {
  /** The option whose value they are, e.g. `auth`. */
  readonly within?: string | undefined;
  /** The noun for an option, e.g. `field`; "option" by default. */
  readonly noun?: string | undefined;
  /** What follows an unknown name; by default the list of the known ones. */
  readonly hint?: ((name: string, known: readonly string[], prefix: string) => string | undefined) | undefined;
}

/**
 * Reads the named options into a new object, each of them once. They may be inherited, as in a configuration service with
 * getters; an own property of another name is refused.
 */
export function readOptions<Options extends object>(
  given: unknown,
  names: readonly (keyof Options & string)[],
  words: OptionWords = {},
): ReadOptions<Options> {
  const { within, noun = "option" } = words;
  const prefix = within ? `${within}.` : "";
  if (!hasFields(given)) {
    const option = within ?? `${noun}s`;
    return { problem: { option, message: `${option} must be an object, not ${kindOfArgument(given)}` } };
  }
  const unknown = Object.keys(given).find((name) => !(names as readonly string[]).includes(name));
  if (unknown !== undefined) {
    return { problem: { option: prefix + unknown, message: unknownName(unknown, names, words) } };
  }
  const options: Record<string, unknown> = {};
  for (const name of names) options[name] = given[name];
  return { options: options as Options };
}

/** The message for an unknown name: `unknown option "timeout"; known options: signal, timeoutMs`. */
export function unknownName(name: string, known: readonly string[], words: OptionWords = {}): string {
  const { within, noun = "option", hint } = words;
  const prefix = within ? `${within}.` : "";
  const list = `known ${noun}s: ${known.join(", ") || "none"}`;
  return `unknown ${noun} ${describe(prefix + name)}; ${hint?.(name, known, prefix) ?? list}`;
}

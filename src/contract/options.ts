import { describe, kindOf } from "./describe.ts";
import { isInherited, isRecord, reasonOf } from "./schema.ts";

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

/**
 * Reads options into a new object. Unknown names are rejected, and so are known names that are inherited or accessors. No
 * getter is called, and properties of a polluted `Object.prototype` are ignored.
 *
 * @param within - The option whose value is the object, e.g. `auth`.
 * @param noun - The noun for an option in messages, e.g. `field`.
 */
export function readOptions<Options extends object>(
  given: unknown,
  names: readonly (keyof Options & string)[],
  within?: string,
  noun = "option",
): ReadOptions<Options> {
  const prefix = within ? `${within}.` : "";
  if (!isRecord(given)) return problemOf(within ?? `${noun}s`, `must be an object, not ${kindOf(given)}`);
  const options: Record<string, unknown> = {};
  try {
    for (const name of Object.keys(given)) {
      const isKnown = (names as readonly string[]).includes(name);
      if (!isKnown) return { problem: { option: prefix + name, message: unknownName(name, names, noun, prefix) } };
    }
    for (const name of names) {
      const property = Object.getOwnPropertyDescriptor(given, name);
      const flaw = property ? "get" in property && "an accessor" : isInherited(name, given) && "inherited";
      if (flaw) return problemOf(prefix + name, `must be a plain property of the object itself; it is ${flaw}`);
      options[name] = property?.value;
    }
  } catch (error) {
    return problemOf(within ?? `${noun}s`, `cannot be read${reasonOf(error)}`);
  }
  return { options: options as Options, problem: undefined };
}

function problemOf(option: string, rule: string): { readonly problem: OptionProblem } {
  return { problem: { option, message: `${option} ${rule}` } };
}

/**
 * The message for an unknown name: `unknown option "timeout"; did you mean "timeoutMs"?`
 *
 * @param noun - The noun for one of the names.
 * @param prefix - The prefix of each name in messages, e.g. `auth.`.
 */
export function unknownName(name: string, names: readonly string[], noun = "option", prefix = ""): string {
  const near = nearest(name, names);
  const hint =
    near === undefined ? `known ${noun}s: ${names.join(", ") || "none"}` : `did you mean "${prefix}${near}"?`;
  return `unknown ${noun} ${describe(prefix + name)}; ${hint}`;
}

/** The candidate with the fewest edits, at most a third of its length. */
function nearest(name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined;
  let fewest = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    const limit = candidate.length / 3;
    // A name may be of any length, and comparing takes quadratic time.
    if (Math.abs(name.length - candidate.length) > limit) continue;
    const edits = countEdits(name.toLowerCase(), candidate.toLowerCase());
    if (edits <= limit && edits < fewest) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

/** The Levenshtein distance, in which two exchanged neighbors count as one edit. */
function countEdits(from: string, to: string): number {
  let previous: number[] = [];
  let row = Array.from(`${to}.`, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const next = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] as number) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (previous[j - 2] as number) + 1 : replaced;
      next.push(Math.min(replaced, swapped, (row[j] as number) + 1, (next[j - 1] as number) + 1));
    }
    previous = row;
    row = next;
  }
  return row[to.length] as number;
}

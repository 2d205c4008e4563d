import { type OptionWords, unknownName } from "../../src/checks/options.ts";

/** Suggests the known name that an unknown one is nearest to, if any: `did you mean "timeoutMs"?` */
export function didYouMean(name: string, known: readonly string[], prefix = ""): string | undefined {
  const near = nearest(name, known);
  return near === undefined ? undefined : `did you mean "${prefix}${near}"?`;
}

/** The message for an unknown name, with a suggestion or the list of the known ones. */
export function explainUnknownName(name: string, known: readonly string[], noun?: OptionWords["noun"]): string {
  return unknownName(name, known, { noun, hint: didYouMean });
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

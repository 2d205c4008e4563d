import { stripVTControlCharacters } from "node:util";

/** How many tests passed and failed. */
export interface Count {
  readonly passed: number;
  readonly failed: number;
}

/**
 * The counts that a test run printed, added over all its summaries, or `undefined` if it printed none.
 *
 * It knows `12 passed, 0 failed`, and Vitest's `Tests  1 failed | 12 passed (13)`.
 */
export function countTests(output: string): Count | undefined {
  const lines = stripVTControlCharacters(output).split("\n");
  const counts = lines.flatMap((line) => {
    const own = /^(\d+) passed, (\d+) failed$/.exec(line.trim());
    if (own) return [{ passed: Number(own[1]), failed: Number(own[2]) }];
    const vitest = /^\s*Tests\s+(.*\(\d+\))$/.exec(line)?.[1];
    return vitest ? [{ passed: numberBefore(vitest, "passed"), failed: numberBefore(vitest, "failed") }] : [];
  });
  return counts.length > 0 ? sumCounts(counts) : undefined;
}

/** All counts added up. */
export function sumCounts(counts: readonly Count[]): Count {
  return counts.reduce((sum, count) => ({ passed: sum.passed + count.passed, failed: sum.failed + count.failed }), {
    passed: 0,
    failed: 0,
  });
}

function numberBefore(text: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}`).exec(text)?.[1] ?? 0);
}

import fc from "fast-check";
import { expect } from "vitest";
import { LIMIT_MS } from "../time-limits.ts";

export const shareMs = Number(process.env.FUZZ_SECONDS ?? 0) * 1000;
export const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** How long a test of this folder may take, in milliseconds. */
export const timeoutMs = shareMs + LIMIT_MS;

/**
 * Checks a property with random input: a number of times, or in rounds for the time that the environment sets.
 * Each round has its own seed, the next number: fast-check's own time limit keeps some memory for each run.
 *
 * @param numRuns - How often in a round. An ordinary run has one.
 */
export async function assertProperty<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const start = performance.now();
  let rounds = 0;
  do {
    const details = await fc.check(property, { seed: (seed + rounds) | 0, numRuns });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    rounds++;
  } while (performance.now() - start < shareMs);
  const seconds = Math.round((performance.now() - start) / 1000);
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  const { currentTestName } = expect.getState();
  console.log(`${currentTestName}: ${rounds * numRuns} runs in ${seconds} s, seed ${seed}, ${memory} MB of memory`);
}

import fc from "fast-check";

const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** How long a test of this folder may take, in milliseconds. */
export const timeoutMs = minutes * 60_000 + 60_000;

/**
 * Checks a property with random input: a number of times, or in rounds for the minutes that the environment sets.
 * Each round has its own seed, the next number: fast-check's own time limit keeps some memory for each run.
 *
 * @param numRuns - How often in a round. An ordinary run has one.
 */
export async function assertProperty<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const end = performance.now() + minutes * 60_000;
  let rounds = 0;
  do {
    const details = await fc.check(property, { seed: (seed + rounds) | 0, numRuns });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    rounds++;
  } while (performance.now() < end);
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  console.log(`seed ${seed}, ${rounds * numRuns} runs, then ${memory} MB of memory`);
}

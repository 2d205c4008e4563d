import fc from "fast-check";

const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
const seed = Number(process.env.FUZZ_SEED ?? Date.now() % 2 ** 31);

/** How long a test of this folder may take, in milliseconds. */
export const timeoutMs = minutes * 60_000 + 60_000;

/**
 * Holds a property against random input: so many times, or for the minutes that the environment asks for.
 *
 * @param numRuns - How often in an ordinary run.
 */
export async function assertProperty<T>(property: fc.IAsyncProperty<T>, numRuns: number): Promise<void> {
  const endless = { numRuns: Number.MAX_SAFE_INTEGER, interruptAfterTimeLimit: minutes * 60_000 };
  const details = await fc.check(property, { seed, endOnFailure: false, ...(minutes > 0 ? endless : { numRuns }) });
  const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
  console.log(`seed ${seed}, ${details.numRuns} runs, then ${memory} MB of memory`);
  if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
}

import type { Redis } from "ioredis";
import type { PlantCreator } from "plant-store-client";
import { isRefusedPlant } from "../import-plants/report.ts";

export const QUEUE = "plant-import";

/** The plant of one line on its way through the queue. JSON has no bigint, so the id goes as its decimal digits. */
export interface PlantJob {
  /** The key of the import's journal: a hash of Redis, with an entry for each line of the list. */
  readonly journal: string;
  readonly line: number;
  readonly id: string;
  readonly name: string;
  readonly tag?: string | null | undefined;
}

/**
 * Creates the plant of one job, unless its line is in the journal. It may be called again for the same job at any time.
 *
 * A queue delivers a job again if its worker dies. For a POST, that would create a second plant. So the line is written to
 * the journal before the plant is sent, and again when the result is known.
 *
 * @throws {@link PlantStoreError} if the plant was not created, for a reason that is not the plant. The line is free again.
 */
export async function createPlantJob(
  { journal, line, id, name, tag }: PlantJob,
  client: Pick<PlantCreator, "tryCreatePlant">,
  redis: Redis,
): Promise<void> {
  const isClaimed = await redis.hsetnx(journal, `${line}`, "unknown");
  if (isClaimed === 0) return;

  const result = await client.tryCreatePlant({ id: BigInt(id), name, tag });
  if (result.ok) {
    await redis.hset(journal, `${line}`, "created");
    return;
  }
  const { error } = result;
  if (error.outcome === "unknown") return;
  if (!isRefusedPlant(error)) {
    await redis.hdel(journal, `${line}`);
    throw error;
  }
  await redis.hset(journal, `${line}`, `refused: ${error.message}`);
}

import { Queue } from "bullmq";
import type { NewPlant } from "plant-store-client";
import { openList } from "../import-plants/read-list.ts";

export const QUEUE = "plant-import";

/** A plant of the list on its way through the queue. JSON has no bigint, so the id goes as its decimal digits. */
export interface PlantJob {
  readonly line: number;
  readonly id: string;
  readonly name: string;
  readonly tag?: string | undefined;
}

/** The plant of a job, with its exact id. */
export function plantOf({ id, name, tag }: PlantJob): NewPlant {
  return { id: BigInt(id), name, tag };
}

/** Opens the queue, for adding jobs and looking at them. */
export function openQueue(redisUrl: string): Queue<PlantJob> {
  return new Queue<PlantJob>(QUEUE, { connection: { url: redisUrl } });
}

/**
 * Puts every plant of a list into the queue. A job is named after its line, so that a second run adds nothing twice.
 *
 * @returns The number of plants in the list, and its bad lines.
 */
export async function enqueue(queue: Queue<PlantJob>, file: string): Promise<{ plants: number; badLines: string[] }> {
  const badLines: string[] = [];
  let plants = 0;
  for await (const entry of await openList(file)) {
    if ("problem" in entry) {
      badLines.push(`line ${entry.line}: ${entry.problem}`);
      continue;
    }
    const { line, plant } = entry;
    const job = { line, id: `${plant.id}`, name: plant.name, tag: plant.tag };
    // A job throws only errors after which another attempt is safe; each waits longer than the one before.
    await queue.add("create", job, {
      jobId: `line-${line}`,
      attempts: 8,
      backoff: { type: "exponential", delay: 200 },
    });
    plants++;
  }
  return { plants, badLines };
}

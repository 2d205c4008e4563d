import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { Queue } from "bullmq";
import type { NewPlant } from "plant-store-client";
import { openList, type PlantList } from "../import-plants/read-list.ts";
import type { Ledger } from "./ledger.ts";

export const QUEUE = "plant-import";

/** A plant of the list on its way through the queue. JSON has no bigint, so the id goes as its decimal digits. */
export interface PlantJob {
  /** The line of the list, or the number of the element of a JSON array. */
  readonly row: number;
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
 * Puts every plant of a list into the queue. A job is named after its row, so that a second run adds nothing twice.
 *
 * @returns What a row is, the number of plants in the list, and its bad rows.
 * @throws Error if the ledger holds another list, whose rows have the same numbers.
 */
export async function enqueue(
  queue: Queue<PlantJob>,
  ledger: Ledger,
  file: string,
): Promise<{ unit: PlantList["unit"]; plants: number; badRows: string[] }> {
  const badRows: string[] = [];
  let plants = 0;
  await using list = await openList(file);
  if (!(await ledger.reserve(await hashOf(file)))) {
    throw new Error(`${file}: this Redis holds the import of another list; use another database, such as redis://…/1`);
  }
  const { unit } = list;
  for await (const entry of list.rows) {
    if ("problem" in entry) {
      badRows.push(`${unit} ${entry.number}: ${entry.problem}`);
      continue;
    }
    const { number: row, plant } = entry;
    const job = { row, id: `${plant.id}`, name: plant.name, tag: plant.tag };
    // A job throws only errors after which another attempt is safe; each waits longer than the one before.
    await queue.add("create", job, { jobId: jobIdOf(row), attempts: 8, backoff: { type: "exponential", delay: 200 } });
    plants++;
  }
  return { unit, plants, badRows };
}

export function jobIdOf(row: number): string {
  return `row-${row}`;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { type JobsOptions, Queue } from "bullmq";
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

/** An import: where its jobs and their results are. */
export interface Import {
  readonly queue: Queue<PlantJob>;
  readonly ledger: Ledger;
  /** The address of the service. */
  readonly baseUrl: string;
  /** Ends the reading of the list with an error. */
  readonly stop?: AbortSignal;
}

/**
 * Puts every plant of a list into the queue that is not in the ledger. A job is named after its row, so that a second run
 * adds nothing twice; it is removed when it ends, because the ledger holds what is known.
 *
 * @returns What a row is, the number of plants in the list, and its bad rows.
 * @throws Error if the ledger holds the import of another list, whose rows have the same numbers, or into another service.
 */
export async function enqueue(
  file: string,
  { queue, ledger, baseUrl, stop }: Import,
): Promise<{ unit: PlantList["unit"]; plants: number; badRows: string[] }> {
  const badRows: string[] = [];
  let plants = 0;
  await using list = await openList(file);
  if (!(await ledger.reserve(`${await hashOf(file)} into ${new URL(baseUrl).href}`)))
    throw new Error(`${file}: ${OTHER}`);
  const { unit } = list;
  for await (const entry of list.rows) {
    stop?.throwIfAborted();
    if ("problem" in entry) {
      badRows.push(`${unit} ${entry.number}: ${entry.problem}`);
      continue;
    }
    plants++;
    const { number: row, plant } = entry;
    if (await ledger.read(row)) continue;
    const job = { row, id: `${plant.id}`, name: plant.name, tag: plant.tag };
    await queue.add("create", job, { ...JOB_OPTIONS, jobId: jobIdOf(row) });
  }
  return { unit, plants, badRows };
}

const OTHER =
  "this Redis holds the import of another list, or into another service. Use another database, such as redis://…/1. " +
  "A list that was corrected would be sent there again: import a list of the corrected rows alone";

const JOB_OPTIONS: JobsOptions = {
  // A job throws only errors after which another attempt is safe; each waits longer than the one before.
  attempts: 8,
  backoff: { type: "exponential", delay: 200 },
  removeOnComplete: true,
  removeOnFail: true,
};

export function jobIdOf(row: number): string {
  return `row-${row}`;
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(file), hash);
  return hash.digest("hex");
}

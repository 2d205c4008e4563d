// One worker process: `tsx worker.ts`. REDIS_URL, PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN say where things are.

import { once } from "node:events";
import { RateLimitError, UnrecoverableError, Worker } from "bullmq";
import { PlantStoreClient } from "plant-store-client";
import { createPlantJob, isWorthAnotherTry, pauseAfter } from "./create-plant-job.ts";
import { openQueue, type PlantJob, QUEUE } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";
import { stopSignal } from "./stop-signal.ts";

const redisUrl = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
const connection = connect(redisUrl);
const queue = openQueue(redisUrl);
// The queue retries, at one pace for all workers.
const client = new PlantStoreClient({ maxRetries: 0 });
const ledger = new Ledger(connection);

async function work(job: PlantJob): Promise<string> {
  try {
    return await createPlantJob(job, client, ledger);
  } catch (error) {
    const pauseMs = pauseAfter(error);
    if (pauseMs !== undefined) {
      // No worker takes a job during the pause. This one returns to the queue, and keeps its attempts.
      if ((await queue.getRateLimitTtl()) < pauseMs) await queue.rateLimit(pauseMs);
      throw new RateLimitError();
    }
    // An expired token or a wrong address would fail all attempts: the job fails for good, until the next run.
    throw isWorthAnotherTry(error) ? error : new UnrecoverableError(String(error));
  }
}

const worker = new Worker<PlantJob>(QUEUE, ({ data }) => work(data), {
  connection,
  concurrency: 8,
  // BullMQ looks for a pause only if it has a limit of its own; this one is never reached.
  limiter: { max: 10_000, duration: 1_000 },
  // A dead worker's jobs are delivered again soon, and as often as it takes: the ledger says what to do with each.
  lockDuration: 2_000,
  stalledInterval: 1_000,
  maxStalledCount: 100,
});
worker.on("error", (error) => console.error(error.message));

await once(stopSignal(), "abort");
await worker.close(); // Waits for the plants that are under way.
await queue.close();
connection.disconnect();

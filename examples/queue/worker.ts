// One worker process: `npm run worker`, as often as you like, on as many machines as you like.

import { once } from "node:events";
import { Queue, RateLimitError, UnrecoverableError, Worker } from "bullmq";
import { Redis } from "ioredis";
import { isPlantStoreError, PlantStoreClient } from "plant-store-client";
import { createPlantJob, type PlantJob, QUEUE } from "./create-plant-job.ts";

// BullMQ wants a connection that waits for Redis instead of giving up.
const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379", { maxRetriesPerRequest: null });
const queue = new Queue(QUEUE, { connection: redis });
// The queue retries, at one pace for all workers.
const client = new PlantStoreClient({ maxRetries: 0 });

async function work(job: PlantJob): Promise<void> {
  try {
    await createPlantJob(job, client, redis);
  } catch (error) {
    // An expired token or a wrong address would fail all attempts: the job fails for good, until the next import.
    if (!isPlantStoreError(error) || !error.retryable) throw new UnrecoverableError(String(error));
    if (error.retryAfterMs === undefined) throw error;
    // No worker takes a job during the pause. This one returns to the queue, and keeps its attempts.
    const pauseMs = Math.max(error.retryAfterMs, 1);
    if ((await queue.getRateLimitTtl()) < pauseMs) await queue.rateLimit(pauseMs);
    throw new RateLimitError();
  }
}

const worker = new Worker<PlantJob>(QUEUE, ({ data }) => work(data), {
  connection: redis,
  concurrency: 8,
  // BullMQ looks for a pause only if it has a limit of its own; this one is never reached.
  limiter: { max: 10_000, duration: 1_000 },
  // A dead worker's jobs are delivered again soon, and as often as it takes: the journal says what to do with each.
  lockDuration: 2_000,
  stalledInterval: 1_000,
  maxStalledCount: 100,
});
worker.on("error", (error) => console.error(error.message));

// Kept until the end: npm passes Ctrl-C on, so that it arrives twice.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop.abort());
await once(stop.signal, "abort");
await worker.close(); // Waits for the plants that are under way.
await queue.close();
redis.disconnect();

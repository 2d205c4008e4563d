// One worker process: `tsx worker.ts`. REDIS_URL, PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN say where things are.

import { Worker } from "bullmq";
import { PlantStoreClient } from "plant-store-client";
import { createPlantJob } from "./create-plant-job.ts";
import { type PlantJob, QUEUE } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";

const connection = connect(process.env.REDIS_URL ?? "redis://127.0.0.1:6379");
const client = new PlantStoreClient();
const ledger = new Ledger(connection);

const worker = new Worker<PlantJob>(QUEUE, ({ data }) => createPlantJob(data, client, ledger), {
  connection,
  concurrency: 8,
  // A dead worker's jobs are delivered again soon, and as often as it takes: the ledger says what to do with each.
  lockDuration: 2_000,
  stalledInterval: 1_000,
  maxStalledCount: 100,
});
worker.on("error", (error) => console.error(error.message));

process.once("SIGTERM", async () => {
  await worker.close(); // Waits for the plants that are under way.
  connection.disconnect();
});

// Imports a list of plants with several worker processes: `npm start`, or `npm start -- my-plants.csv`.
// It starts a Redis of its own, and the mock; REDIS_URL, or PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN, name real ones.

import { fileURLToPath } from "node:url";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { enqueue, openQueue } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect, startRedis } from "./redis.ts";
import { drained, startWorker, stopWorker } from "./workers.ts";

const WORKERS = 3;
const file = process.argv[2] ?? fileURLToPath(new URL("../data/plants.csv", import.meta.url));

const redis = process.env.REDIS_URL ? { url: process.env.REDIS_URL, stop: async () => {} } : await startRedis();
const store = process.env.PLANT_STORE_BASE_URL ? undefined : await startMockPlantStore({ duplicateIds: "reject" });
const environment = {
  REDIS_URL: redis.url,
  ...(store && { PLANT_STORE_BASE_URL: store.url, PLANT_STORE_TOKEN: store.token }),
};

const queue = openQueue(redis.url);
const { plants, badLines } = await enqueue(queue, file);
console.log(`${plants} plants in the queue, ${WORKERS} workers`);

const workers = Array.from({ length: WORKERS }, () => startWorker(environment));
await drained(queue);
await Promise.all(workers.map((worker) => stopWorker(worker)));

const connection = connect(redis.url);
const entries = [...(await new Ledger(connection).entries())];
const created = entries.filter(([, { state }]) => state === "created");
const parked = entries.filter(([, { state }]) => state === "sending");
console.log(`${created.length} created`);
for (const [line, entry] of entries)
  if (entry.state === "refused") console.log(`line ${line} refused: ${entry.reason}`);
for (const badLine of badLines) console.log(`${badLine} (not sent)`);
for (const [line] of parked) console.log(`line ${line} parked: it may exist; \`npm run resolve -- ${line} …\``);
const waiting = plants - entries.length;
if (waiting > 0) console.log(`${waiting} not sent: the service was away; run it again`);

connection.disconnect();
await queue.close();
await store?.close();
await redis.stop();
process.exitCode = parked.length + waiting > 0 ? 1 : 0;

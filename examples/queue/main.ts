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
const connection = connect(redis.url);
const ledger = new Ledger(connection);
const { unit, plants, badRows } = await enqueue(queue, ledger, file);
console.log(`${plants} plants in the queue, ${WORKERS} workers`);

const workers = Array.from({ length: WORKERS }, () => startWorker(environment));
await drained(queue);
await Promise.all(workers.map((worker) => stopWorker(worker)));

const entries = [...(await ledger.entries())];
const created = entries.filter(([, { state }]) => state === "created");
const parked = entries.filter(([, { state }]) => state === "sending");
console.log(`${created.length} created`);
for (const [row, entry] of entries)
  if (entry.state === "refused") console.log(`${unit} ${row} refused: ${entry.reason}`);
for (const badRow of badRows) console.log(`${badRow} (not sent)`);
for (const [row] of parked) console.log(`${unit} ${row} parked: it may exist; \`npm run resolve -- ${row} …\``);
const waiting = plants - entries.length;
if (waiting > 0) console.log(`${waiting} not sent: the service was away; run it again`);

connection.disconnect();
await queue.close();
await store?.close();
await redis.stop();
process.exitCode = parked.length + waiting > 0 ? 1 : 0;

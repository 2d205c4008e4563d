// Imports a list of plants with several worker processes: `npm start`, or `npm start -- my-plants.csv`.
// REDIS_URL, PLANT_STORE_BASE_URL and PLANT_STORE_TOKEN name a Redis and a service; without them it is a trial.

import { fileURLToPath } from "node:url";
import { type Queue, QueueEvents } from "bullmq";
import { enqueue, openQueue, type PlantJob, QUEUE } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";
import { openServices, type Services } from "./services.ts";
import { stopSignal } from "./stop-signal.ts";
import { drained, startWorker, stopWorker } from "./workers.ts";

const WORKERS = 3;
/** After this many plants that failed for another reason than the plant, the next one would fail as well. */
const GIVE_UP_AFTER = 10;

/** @returns the exit status. */
async function main(file: string): Promise<number> {
  const stop = stopSignal();
  const services = await openServices(process.env);
  const queue = openQueue(services.REDIS_URL);
  const connection = connect(services.REDIS_URL);
  try {
    const ledger = new Ledger(connection);
    const list = await enqueue(file, { queue, ledger, baseUrl: services.PLANT_STORE_BASE_URL, stop });
    console.log(`${list.plants} plants in the queue, ${WORKERS} workers`);
    const failure = await work(queue, services, stop);
    return report(list, await ledger.entries(), failure);
  } finally {
    connection.disconnect();
    await queue.close();
    await services.stop();
  }
}

/** @returns why plants failed for good, if some did. */
async function work(queue: Queue<PlantJob>, services: Services, stop: AbortSignal): Promise<string | undefined> {
  const events = new QueueEvents(QUEUE, { connection: { url: services.REDIS_URL } });
  await events.waitUntilReady();
  const giveUp = new AbortController();
  const reasons: string[] = [];
  events.on("failed", ({ failedReason }) => {
    if (reasons.push(failedReason) === GIVE_UP_AFTER) giveUp.abort();
  });
  const workers = Array.from({ length: WORKERS }, () => startWorker(services));
  await drained(queue, workers, AbortSignal.any([stop, giveUp.signal]));
  await Promise.all(workers.map((worker) => stopWorker(worker)));
  await events.close();
  return reasons[0];
}

function report(
  { unit, plants, badRows }: Awaited<ReturnType<typeof enqueue>>,
  entries: Awaited<ReturnType<Ledger["entries"]>>,
  failure = "the import was stopped",
): number {
  const inState = (state: string) => [...entries].filter(([, entry]) => entry.state === state);
  const parked = inState("sending");
  const notSent = plants - entries.size;
  console.log(`${inState("created").length} created`);
  for (const [row, entry] of entries) {
    if (entry.state === "refused") console.log(`${unit} ${row} refused: ${entry.reason}`);
  }
  for (const badRow of badRows) console.log(`${badRow} (not sent)`);
  for (const [row] of parked) console.log(`${unit} ${row} parked: it may exist; \`npm run resolve -- ${row} …\``);
  if (notSent > 0) console.log(`${notSent} not created: ${failure}; run it again`);
  return parked.length + notSent > 0 ? 1 : 0;
}

try {
  const file = process.argv[2] ?? fileURLToPath(new URL("../data/plants.csv", import.meta.url));
  process.exitCode = await main(file);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

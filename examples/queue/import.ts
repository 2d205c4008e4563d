// Imports a list through the workers: `npm run import -- plants.csv`. Stop it at any time, and run it again to continue.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { readList } from "../import-plants/read-list.ts";
import { type PlantJob, QUEUE } from "./create-plant-job.ts";

const file = process.argv[2] ?? "../data/plants.csv";
const redis = new Redis(process.env.REDIS_URL ?? "redis://127.0.0.1:6379", { maxRetriesPerRequest: null });
const queue = new Queue<PlantJob>(QUEUE, { connection: redis });

// Each list has a journal of its own for each service.
const service = process.env.PLANT_STORE_BASE_URL ?? "";
const journal = `${QUEUE}:${createHash("sha256").update(service).update(readFileSync(file)).digest("hex")}`;
const lines: number[] = [];
for await (const entry of readList(file)) {
  if ("problem" in entry) {
    console.log(`line ${entry.number}: bad line, not sent: ${entry.problem}`);
    continue;
  }
  const { number: line, plant } = entry;
  lines.push(line);
  if (await redis.hexists(journal, `${line}`)) continue;
  const job = { journal, line, id: `${plant.id}`, name: plant.name, tag: plant.tag };
  // A job whose id is in the queue is not added a second time. It is removed at its end: the journal holds what is known.
  const jobId = `${journal.slice(-16)}-${line}`;
  const backoff = { type: "exponential", delay: 200 };
  await queue.add("create", job, { jobId, attempts: 8, backoff, removeOnComplete: true, removeOnFail: true });
}
console.log(`${lines.length} plants in the list; waiting for the workers`);
while ((await queue.count()) + (await queue.getActiveCount()) > 0) await setTimeout(100);

const results = await redis.hgetall(journal);
const created = lines.filter((line) => results[line] === "created");
console.log(`${created.length} created`);
for (const line of lines) {
  const result = results[line] ?? "not created; import the list again";
  if (result !== "created") console.log(`line ${line}: ${result}`);
}
const isDone = lines.every((line) => results[line] !== undefined && results[line] !== "unknown");
if (!isDone)
  console.log(`If an unknown plant does not exist: redis-cli hdel ${journal} LINE, and import the list again.`);
process.exitCode = isDone ? 0 : 1;
await queue.close();
redis.disconnect();

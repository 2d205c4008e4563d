// For a parked row, once a person has checked the store: `npm run resolve -- ROW created`, or
// `npm run resolve -- ROW send-again`. REDIS_URL names the Redis.

import { jobIdOf, openQueue } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";

const [row, decision] = process.argv.slice(2);
if (!row || !/^\d+$/.test(row) || (decision !== "created" && decision !== "send-again")) {
  console.error("usage: npm run resolve -- ROW created|send-again");
  process.exit(2);
}
const url = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
const connection = connect(url);
const queue = openQueue(url);
const ledger = new Ledger(connection);

const entry = await ledger.read(Number(row));
if (entry?.state !== "sending") {
  console.error(`row ${row} is not parked: it is ${entry?.state ?? "not sent"}`);
  process.exitCode = 1;
} else if (decision === "created") {
  await ledger.settle(Number(row), { state: "created" });
} else {
  const job = await queue.getJob(jobIdOf(Number(row)));
  await ledger.release(Number(row));
  await job?.retry((await job.isFailed()) ? "failed" : "completed");
}

await queue.close();
connection.disconnect();

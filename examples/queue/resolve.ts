// For a parked line, once a person has checked the store: `npm run resolve -- LINE created`, or
// `npm run resolve -- LINE send-again`. REDIS_URL names the Redis.

import { openQueue } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";

const [line, decision] = process.argv.slice(2);
if (!line || !/^\d+$/.test(line) || (decision !== "created" && decision !== "send-again")) {
  console.error("usage: npm run resolve -- LINE created|send-again");
  process.exit(2);
}
const url = process.env.REDIS_URL ?? "redis://127.0.0.1:6379";
const connection = connect(url);
const queue = openQueue(url);
const ledger = new Ledger(connection);

const entry = await ledger.read(Number(line));
if (entry?.state !== "sending") {
  console.error(`line ${line} is not parked: it is ${entry?.state ?? "not sent"}`);
  process.exitCode = 1;
} else if (decision === "created") {
  await ledger.settle(Number(line), { state: "created" });
} else {
  const job = await queue.getJob(`line-${line}`);
  await ledger.release(Number(line));
  await job?.retry((await job.isFailed()) ? "failed" : "completed");
}

await queue.close();
connection.disconnect();

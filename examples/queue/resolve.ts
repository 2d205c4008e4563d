// For a parked row, once a person has checked the store: `npm run resolve -- ROW created`, or
// `npm run resolve -- ROW send-again`. REDIS_URL names the Redis.

import { jobIdOf, openQueue } from "./jobs.ts";
import { Ledger } from "./ledger.ts";
import { connect } from "./redis.ts";

const url = process.env.REDIS_URL;
const [row, decision] = process.argv.slice(2);
if (!url || !row || !/^\d+$/.test(row) || (decision !== "created" && decision !== "send-again")) {
  console.error("usage: REDIS_URL=redis://… npm run resolve -- ROW created|send-again");
  process.exit(2);
}
const connection = connect(url);
const queue = openQueue(url);
const ledger = new Ledger(connection);

const entry = await ledger.read(Number(row));
if (entry?.state !== "sending") {
  fail(`row ${row} is not parked: it is ${entry?.state ?? "not sent"}`);
} else if (await queue.getJob(jobIdOf(Number(row)))) {
  fail(`row ${row} is still in the queue: let the import end first`);
} else if (decision === "created") {
  await ledger.settle(Number(row), { state: "created" });
} else {
  await ledger.release(Number(row));
  console.log(`The next run of the import sends row ${row}.`);
}

await queue.close();
connection.disconnect();

function fail(reason: string): void {
  console.error(reason);
  process.exitCode = 1;
}

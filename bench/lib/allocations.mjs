import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const WORKER = fileURLToPath(new URL("allocation-worker.mjs", import.meta.url));

/**
 * The compiler works on the main thread: otherwise the load of the machine decides when its code is ready, and what it
 * inlines. No collection may fall into a measured batch: the young generation holds all of them.
 */
const HEAP = [
  "--single-threaded",
  "--expose-gc",
  "--min-semi-space-size=512",
  "--max-semi-space-size=512",
  "--no-warnings",
];

/** The bytes that one call of a candidate allocates in a process of its own; `calls` make a batch. */
export async function bytesOf({ module, options, calls, execPath }) {
  const argument = JSON.stringify({ module, options, calls });
  const { stdout } = await promisify(execFile)(execPath, [...HEAP, WORKER, argument]);
  return Number(stdout);
}

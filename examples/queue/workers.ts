import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Queue } from "bullmq";
import type { PlantJob } from "./jobs.ts";
import type { Services } from "./services.ts";

/** Starts a worker process for these services. */
export function startWorker(services: Services): ChildProcess {
  const program = fileURLToPath(new URL("worker.ts", import.meta.url));
  // `--import tsx` runs it in this very process, so that a signal reaches the worker itself.
  return spawn(process.execPath, ["--import", "tsx", program], {
    env: { ...process.env, ...services },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Ends a worker process, and waits until it is gone. */
export async function stopWorker(worker: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (isGone(worker)) return;
  worker.kill(signal);
  await once(worker, "exit");
}

/** Waits until no job is left to do, or nobody is left to do it, or the import is stopped. */
export async function drained(queue: Queue<PlantJob>, workers: ChildProcess[], stop?: AbortSignal): Promise<void> {
  while (!stop?.aborted && !workers.every(isGone)) {
    const left = await queue.getJobCountByTypes("waiting", "active", "delayed", "prioritized");
    if (left === 0) return;
    await setTimeout(POLL_MS);
  }
}

const POLL_MS = 100;

function isGone({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

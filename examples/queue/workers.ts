import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Queue } from "bullmq";
import type { PlantJob } from "./jobs.ts";

/** Starts a worker process with this environment. */
export function startWorker(environment: Record<string, string>): ChildProcess {
  const program = fileURLToPath(new URL("worker.ts", import.meta.url));
  // `--import tsx` runs it in this very process, so that a signal reaches the worker itself.
  return spawn(process.execPath, ["--import", "tsx", program], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "inherit", "inherit"],
  });
}

/** Ends a worker process, and waits until it is gone. */
export async function stopWorker(worker: ChildProcess, signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  worker.kill(signal);
  await once(worker, "exit");
}

/** Waits until no job is left to do: each is completed, or has failed for good. */
export async function drained(queue: Queue<PlantJob>, pollMs = 100): Promise<void> {
  for (;;) {
    const left = await queue.getJobCountByTypes("waiting", "active", "delayed", "prioritized");
    if (left === 0) return;
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

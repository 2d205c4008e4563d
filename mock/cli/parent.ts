import { fstatSync } from "node:fs";
import { ancestorsOf, lookAtProcesses } from "./ancestors.ts";

/**
 * Calls back when the process that started this one has ended: the pipe on standard input closes, another process has
 * become the parent, or one of the {@link ancestorsOf | ancestors} is gone. Standard input that is not a pipe (a
 * terminal, /dev/null) says nothing.
 */
export function onParentExit(callback: () => void): void {
  if (isPipe(0)) process.stdin.on("end", callback).on("close", callback).on("error", callback).resume();
  const parent = process.ppid;
  const lookAt = lookAtProcesses(process.platform);
  const ancestors = [...ancestorsOf(parent, lookAt)];
  const hasEnded = ([pid, startedAt]: [number, string]) => lookAt(pid)?.startedAt !== startedAt;
  const timer = setInterval(() => {
    if (process.ppid === parent && !ancestors.some(hasEnded)) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}

const PARENT_CHECK_MS = 500;

function isPipe(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return status.isFIFO() || status.isSocket();
  } catch {
    return false; // Closed from the start.
  }
}

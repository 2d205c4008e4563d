import { fstatSync } from "node:fs";

/**
 * Calls back when the process that started this one is gone: its end of the pipe on standard input closes, or somebody
 * else has become the parent. Standard input that is no pipe (a terminal, /dev/null) says nothing.
 */
export function onParentExit(callback: () => void): void {
  if (isPipe(0)) process.stdin.on("end", callback).on("close", callback).on("error", callback).resume();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
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

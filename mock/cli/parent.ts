import { constants, fstatSync } from "node:fs";

/** Calls back when standard input is a pipe and ends, or when the parent process no longer runs. */
export function onParentExit(callback: () => void): void {
  if (isPipe(0)) process.stdin.on("end", callback).on("close", callback).on("error", callback).resume();
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent && isRunning(parent)) return;
    clearInterval(timer);
    callback();
  }, PARENT_CHECK_MS);
  timer.unref();
}

const PARENT_CHECK_MS = 500;

/** Whether a process is running. On Windows, a process keeps the id of its parent when that has ended. */
function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH"; // EPERM: it is another user's.
  }
}

function isPipe(descriptor: number): boolean {
  try {
    // Node's own isFIFO() is always false on Windows, although a pipe has the same mode there: "Some types are not
    // available on Windows", https://github.com/nodejs/node/blob/v20.19.0/lib/internal/fs/utils.js
    const type = fstatSync(descriptor).mode & constants.S_IFMT;
    return type === constants.S_IFIFO || type === constants.S_IFSOCK;
  } catch {
    return false; // Standard input was closed from the start.
  }
}

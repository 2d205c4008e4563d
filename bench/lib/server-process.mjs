import { fork } from "node:child_process";
import { once } from "node:events";

/** Starts a server in a process of its own; the script sends `{ port }` when it listens. */
export async function startServer(script, args = [], { execPath = process.execPath } = {}) {
  const child = fork(script, args, { execPath, execArgv: [] });
  const [{ port }] = await once(child, "message");
  return { url: `http://127.0.0.1:${port}`, pid: child.pid, ask: () => ask(child), stop: () => stop(child) };
}

/** The reply of a server to a message. */
async function ask(child) {
  child.send("ask");
  const [told] = await once(child, "message");
  return told;
}

async function stop(child) {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

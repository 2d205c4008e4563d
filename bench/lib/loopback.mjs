import { fileURLToPath } from "node:url";
import { node } from "./runtimes.mjs";
import { startServer } from "./server-process.mjs";

const SERVER = fileURLToPath(new URL("../client/server.mjs", import.meta.url));

/** Runs something against the service that the clients talk to, in a process of its own; gives it the base URL. */
export async function onLoopback(run) {
  const server = await startServer(SERVER, [], { execPath: node(24) });
  try {
    return await run(`${server.url}/v1`);
  } finally {
    await server.stop();
  }
}

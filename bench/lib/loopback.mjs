import { fileURLToPath } from "node:url";
import { CPU_OF_SERVER, tie } from "./cpus.mjs";
import { node } from "./runtimes.mjs";
import { startServer } from "./server-process.mjs";

const SERVER = fileURLToPath(new URL("../client/server.mjs", import.meta.url));

/** Runs a function with the base URL of the service, which is in a process of its own. */
export async function onLoopback(run) {
  const server = await startServer(SERVER, [], { execPath: node(24) });
  tie(server.pid, CPU_OF_SERVER);
  try {
    return await run(`${server.url}/v1`);
  } finally {
    await server.stop();
  }
}

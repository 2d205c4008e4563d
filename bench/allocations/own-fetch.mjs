// One call over Node's own fetch. The service is another process, so that only the caller's allocations count.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import call from "../client/call.mjs";

const SERVER = fileURLToPath(new URL("../client/server.mjs", import.meta.url));

export default async function setup({ dist }) {
  const server = fork(SERVER, [], { execArgv: [] });
  process.on("exit", () => server.kill());
  const [{ port }] = await once(server, "message");
  return call({ client: "plant-store-client", baseUrl: `http://127.0.0.1:${port}`, dist });
}

// The mock on a port in this process, and a caller in another one, so that only the mock's allocations count.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const CALLER = fileURLToPath(new URL("http-caller.mjs", import.meta.url));
/** Requests per message, so that messages hardly count. */
const REQUESTS = 32;

export default async function setup({ mock }) {
  const { startMockPlantStore } = await import(mock);
  const store = await startMockPlantStore();
  const caller = fork(CALLER, [store.url, store.token], { execArgv: [] });
  process.on("exit", () => caller.kill());
  let asked = 0;
  return async () => {
    if (asked++ % REQUESTS > 0) return;
    caller.send(REQUESTS);
    await once(caller, "message");
  };
}

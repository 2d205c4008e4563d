// Run with --expose-gc: calls that hang, a thorough collection, then an abort. Undici holds a Request's signal weakly
// (nodejs/undici#3644): an abort that was lost would leave the call and this process hanging.
import { PlantStoreClient } from "plant-store-client";
import { createUndiciFetch } from "plant-store-client/undici";
import { ScriptedServer } from "../faults/server.ts";

const [, , transport] = process.argv;
const BODY = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name":';

async function collect(): Promise<void> {
  for (let round = 0; round < 10; round++) {
    globalThis.gc?.();
    await new Promise(setImmediate);
  }
}

async function abortAfterCollection(text: string): Promise<string[]> {
  let arrived = () => {};
  const posted = new Promise<void>((resolve) => {
    arrived = resolve;
  });
  let closed: Promise<string> = Promise.resolve("never opened");
  const server = await ScriptedServer.start({
    posted: ({ socket }) => {
      closed = new Promise((resolve) => socket.once("close", () => resolve("socket closed")));
      socket.write(text);
      arrived();
    },
  });
  const undici = transport === "undici" ? createUndiciFetch() : undefined;
  const baseUrl = `http://127.0.0.1:${server.port}`;
  const controller = new AbortController();
  const call = new PlantStoreClient({ baseUrl, token: "secret", fetch: undici }).tryCreatePlant(
    { id: 1, name: "Fern" },
    { signal: controller.signal },
  );
  await posted;
  await collect();
  controller.abort();
  const result = await call;
  const seen = [result.ok ? "created" : result.error.kind, await closed];
  await undici?.close();
  await server.close();
  return seen;
}

const seen = {
  "before the reply": await abortAfterCollection(""),
  "within the body": await abortAfterCollection(BODY),
};
console.log(JSON.stringify(seen));

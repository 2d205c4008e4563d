import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

/** A client with the global fetch, a server that never answers, and a collection each few milliseconds. */
const prelude = `
  import { createServer } from "node:http";
  import { PlantStoreClient } from "./src/index.ts";
  const server = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseUrl = "http://127.0.0.1:" + server.address().port;
  const client = new PlantStoreClient({ baseUrl, token: "t", timeoutMs: 20_000 });
  const plant = { id: 1, name: "Monstera" };
  const collecting = setInterval(() => gc(), 5);
  const closed = new Promise((resolve) => server.on("connection", (socket) => socket.once("close", resolve)));
  const finish = async (result) => {
    await closed;
    clearInterval(collecting);
    server.close();
    console.log(JSON.stringify({ kind: result.error.kind, outcome: result.error.outcome, cause: result.error.cause?.name }));
  };`;

// The call alone holds its signal: nothing of the application does.
test.each([
  ["AbortSignal.timeout", "AbortSignal.timeout(150)", "TimeoutError"],
  // Node 20 drops the sources of a composite signal even if it has listeners (nodejs/node#57736), so one is held here.
  [
    "AbortSignal.any",
    "AbortSignal.any([(globalThis.held = AbortSignal.timeout(150)), new AbortController().signal])",
    "TimeoutError",
  ],
  [
    "a controller that a timer holds",
    "(() => { const c = new AbortController(); setTimeout(() => c.abort(), 150); return c.signal; })()",
    "AbortError",
  ],
])(
  "%s that only the call holds still aborts it, and its socket, after a collection",
  async (_, signal, cause) => {
    const source = `${prelude}\n await finish(await client.tryCreatePlant(plant, { signal: ${signal} }));`;
    expect(await runChild(source)).toEqual({ kind: "aborted", outcome: "unknown", cause });
  },
  90_000,
);

test("the deadline also survives a collection, and closes the socket", async () => {
  const source = `${prelude}\n await finish(await client.tryCreatePlant(plant, { timeoutMs: 150 }));`;
  expect(await runChild(source)).toEqual({ kind: "timeout", outcome: "unknown" });
});

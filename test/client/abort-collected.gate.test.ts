import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

/** A client, a server that never ends its response, and a collection each few milliseconds. */
const prelude = `
  import { createServer } from "node:http";
  import { PlantStoreClient } from "./src/index.ts";
  import { createUndiciFetch } from "./src/undici.ts";
  const BEGIN = 'HTTP/1.1 200 OK\\r\\nContent-Type: application/json\\r\\nContent-Length: 99\\r\\n\\r\\n{"name":';
  const server = createServer((request, { socket }) => isBegun && socket.write(BEGIN)).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const baseUrl = "http://127.0.0.1:" + server.address().port;
  const undici = isUndici ? createUndiciFetch() : undefined;
  const client = new PlantStoreClient({ baseUrl, token: "t", fetch: undici, timeoutMs: 20_000 });
  const plant = { id: 1, name: "Monstera" };
  const collecting = setInterval(() => gc(), 5);
  const closed = new Promise((resolve) => server.on("connection", (socket) => socket.once("close", resolve)));
  const finish = async ({ error: { kind, outcome, cause } }) => {
    await closed;
    clearInterval(collecting);
    await undici?.close();
    server.close();
    console.log(JSON.stringify({ kind, outcome, cause: cause?.name }));
  };`;

/** Each way to send, before the response and within its body. Undici links a Request to its signal weakly (nodejs/undici#3644). */
const ways = [false, true].flatMap((isUndici) => [false, true].map((isBegun) => ({ isUndici, isBegun })));
const program = (way: object, options: string) => {
  const constants = Object.entries(way).map(([name, value]) => `const ${name} = ${value};`);
  return `${constants.join("")}${prelude}\n await finish(await client.tryCreatePlant(plant, ${options}));`;
};

// A second: on a busy machine, the request is sent by then. All of them wait at once.

// The call alone holds its signal: nothing of the application does.
test.concurrent.each([
  ["AbortSignal.timeout", "AbortSignal.timeout(1_000)", "TimeoutError"],
  // Node 20 drops the sources of a composite signal even if it has listeners (nodejs/node#57736), so one is held here.
  [
    "AbortSignal.any",
    "AbortSignal.any([(globalThis.held = AbortSignal.timeout(1_000)), new AbortController().signal])",
    "TimeoutError",
  ],
  [
    "a controller that a timer holds",
    "(() => { const c = new AbortController(); setTimeout(() => c.abort(), 1_000); return c.signal; })()",
    "AbortError",
  ],
])("%s that only the call holds still aborts it, and its socket, after a collection", async (_, signal, cause) => {
  const seen = await runChild(program({ isUndici: false, isBegun: false }, `{ signal: ${signal} }`));
  expect(seen).toEqual({ kind: "aborted", outcome: "unknown", cause });
});

test.concurrent.each(ways)("the deadline also survives a collection, and closes the socket: %o", async (way) => {
  expect(await runChild(program(way, "{ timeoutMs: 1_000 }"))).toEqual({ kind: "timeout", outcome: "unknown" });
});

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import crossFetch from "cross-fetch";
import nodeFetch from "node-fetch";
import { type Fetch, PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../free-port.ts";

/** What the server replies, by the name that the client sends. */
const replies: Record<string, (response: ServerResponse) => void> = {
  whole: (response) => response.end('{"name":"Größe 🌱"}'),
  "in chunks": (response) => {
    const bytes = Buffer.from('{"name":"Größe 🌱"}');
    // One byte each, so that chunks end within a character.
    for (const byte of bytes) response.write(Uint8Array.of(byte));
    response.end();
  },
  "too large": (response) => response.end(`{"name":"${"x".repeat(1000)}"}`),
  endless: (response) => {
    const more = () => {
      while (!response.destroyed && response.write("x".repeat(1000)));
      response.once("drain", more);
    };
    more();
  },
  "in part": (response) => response.write('{"name":'),
  "not UTF-8": (response) => response.end(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d)),
};

const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  response.setHeader("Content-Type", "application/json");
  replies[JSON.parse(body).name]?.(response);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function sendThrough(fetch: PlantStoreClientOptions["fetch"], name: string) {
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = { baseUrl, token: "t", fetch, maxResponseBytes: 100 };
  return new PlantStoreClient(options).tryCreatePlant({ id: 1, name });
}

// That of cross-fetch stays open until the service closes it: its body is a stream apart from that of the connection.
test("a body that is not read to its end closes the connection of node-fetch", async () => {
  const closed = new Promise((resolve) => {
    server.once("connection", (socket) => socket.once("close", resolve));
  });
  await sendThrough(nodeFetch, "endless");
  await closed;
});

describe.each([
  ["node-fetch", nodeFetch],
  ["cross-fetch", crossFetch],
])("%s in place of fetch", (_name, fetch) => {
  const send = (name: string) => sendThrough(fetch, name);

  test.each(["whole", "in chunks"])("a plant that arrives %s is read", async (name) => {
    expect(await send(name)).toMatchObject({ ok: true, status: 200, plant: { name: "Größe 🌱" } });
  });

  test.each(["too large", "endless"])("a body that is %s is read up to maxResponseBytes", async (name) => {
    const result = await send(name);
    expect(result).toMatchObject({ ok: false, error: { kind: "response", reason: "too-large", outcome: "unknown" } });
  });

  test("a refused connection is unknown, because the error names neither the system call nor the host", async () => {
    const baseUrl = `http://127.0.0.1:${await freePort()}`;
    const result = await new PlantStoreClient({ baseUrl, token: "t", fetch }).tryCreatePlant({ id: 1, name: "Fern" });
    expect(result).toMatchObject({ error: { outcome: "unknown" }, attempts: [{ code: "ECONNREFUSED" }] });
  });
});

test("a deadline during the body of a clone leaves no rejection unhandled", async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const fetchClone: Fetch = async (url, init) => (await fetch(url, init)).clone();
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new PlantStoreClient({ baseUrl, token: "t", fetch: fetchClone, timeoutMs: 200 });

  const result = await client.tryCreatePlant({ id: 1, name: "in part" });

  expect(result).toMatchObject({ ok: false, error: { kind: "timeout", outcome: "unknown" } });
  await new Promise(setImmediate);
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

// Copied next to the programs of docs/errors-to-http.md, and run there.

const servers: Record<string, (client: PlantStoreClient) => Promise<Server>> = {
  express: async (client) => {
    const { createApp } = await import(`./express${""}.ts`);
    return createServer(createApp(client)).listen(0, "127.0.0.1");
  },
  fastify: async (client) => {
    const { createApp } = await import(`./fastify${""}.ts`);
    const app = createApp(client);
    await app.listen({ port: 0, host: "127.0.0.1" });
    return app.server;
  },
};
console.error = () => {};

for (const [name, start] of Object.entries(servers)) {
  const store = createMockPlantStore();
  const server = await start(new PlantStoreClient(store.clientOptions));
  if (!server.listening) await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/garden`;
  const post = (body: object, signal: AbortSignal | null = null) =>
    fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
  const plant = { id: 1, name: "Acer campestre" };

  const created = (await post(plant)).status;
  const invalid = await post({ id: "x", name: "Acer" });
  const { outcome, issues } = (await invalid.json()) as { outcome: string; issues: unknown[] };
  const type = invalid.headers.get("content-type")?.replace(/;.*/, "");
  store.inject(faults.apiError(7, "the greenhouse is full"));
  const refused = await post(plant);
  store.inject(faults.reply({ status: 409, body: { error: 8, message: "the id is taken" } }));
  const taken = await post(plant);
  store.inject(faults.lostResponse());
  const lost = await post(plant);
  store.inject(faults.rateLimited(120));
  const limited = await post(plant);

  const gate = store.hold();
  const controller = new AbortController();
  const leaving = post(plant, controller.signal).catch(() => undefined);
  await gate.arrived(1);
  controller.abort();
  await leaving;
  while (!store.requests.last?.durationMs) await new Promise((resolve) => setTimeout(resolve, 5));
  const left = store.requests.last.status === undefined ? "aborted" : "answered";

  const replies = [
    created,
    JSON.stringify([invalid.status, type, { outcome, ...(issues.length === 1 ? {} : { issues }) }]),
    ...(await Promise.all(
      [refused, taken, lost].map(async (response) => JSON.stringify([response.status, await response.json()])),
    )),
    `${limited.status} after ${limited.headers.get("retry-after")} s,`,
    `left: ${left}`,
  ];
  console.log(name, ...replies);
  server.close();
  server.closeAllConnections();
}
process.exit();

import { createRequire } from "node:module";
import { PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import { createMockPlantStore, type Fault, faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { createHandlers } from "plant-store-client/mock/msw";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { read } from "./blocks.ts";

const plant = { id: 1, name: "Ficus lyrata" };
const options = { baseUrl: "https://plants.example/v1", token: "token" };

/** The message of a client that fails, with the mock behind it. */
async function createWith(overrides: PlantStoreClientOptions, ...queued: Fault[]): Promise<string> {
  const store = createMockPlantStore({ duplicateIds: "reject" });
  for (const fault of queued) store.inject(fault);
  return messageOf(() =>
    new PlantStoreClient({ ...store.clientOptions, maxRetries: 0, ...overrides }).createPlant(plant),
  );
}

async function messageOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("It did not fail.");
}

const answered = (status: number, headers: Record<string, string> = {}, body?: unknown) =>
  createWith({}, faults.reply({ status, headers, body }));

/** Brings each error of the guide about, in its order. */
const produce: readonly (() => string | Promise<string>)[] = [
  () => messageOf(() => new PlantStoreClient({ token: "token" })),
  () => messageOf(() => new PlantStoreClient({ ...options, token: "Bearer token" })),
  () => messageOf(() => new PlantStoreClient({ ...options, token: "token\n" })),
  () => messageOf(() => new PlantStoreClient({ ...options, headers: { Authorization: "Bearer token" } })),
  () => messageOf(() => new PlantStoreClient({ ...options, timeout: 1 } as PlantStoreClientOptions)),

  () => messageOf(() => new PlantStoreClient(options).createPlant({ id: 2 ** 60, name: "Ficus lyrata" })),
  () => messageOf(() => new PlantStoreClient(options).createPlant(Object.create(plant, { id: { value: 1 } }))),
  () => createWith({ token: () => Promise.reject(new Error("the login service is down")) }),

  () => answered(404, { "content-type": "text/html" }, "<h1>Not found</h1>"),
  async () => {
    const store = createMockPlantStore({ auth: { tokens: ["a-valid-token"] } });
    return messageOf(() => new PlantStoreClient({ ...store.clientOptions, token: "another" }).createPlant(plant));
  },
  async () => {
    const store = createMockPlantStore({ duplicateIds: "reject", seed: [plant] });
    return messageOf(() => new PlantStoreClient(store.clientOptions).createPlant(plant));
  },

  () => createWith({}, faults.connectionRefused()),
  () => createWith({}, faults.lostResponse()),
  () => createWith({ fetch: () => Promise.reject(new TypeError("Failed to fetch")) }),
  () => createWith({ timeoutMs: 1 }, faults.hang()),
  () => answered(302, { location: "https://elsewhere.example/" }),
  () => answered(200, { "content-type": "text/html" }, "<h1>Log in</h1>"),
  () => answered(502, { "content-type": "text/html" }, "<h1>Bad gateway</h1>"),

  async () => {
    const { fetch } = createMockPlantStore();
    return messageOf(() => fetch("https://elsewhere.example/"));
  },
  async () => {
    const store = createMockPlantStore();
    store.inject(faults.hang());
    return messageOf(() => store.verify());
  },
  async () => {
    const store = createMockPlantStore();
    createHandlers(store);
    return messageOf(() => store.inject(faults.connectionRefused()));
  },
  async () => {
    const store = createMockPlantStore();
    store.session({ tokens: ["first"] });
    return messageOf(() => store.session({ tokens: ["first"] }));
  },
  // MSW 3 on Node 20, and a missing peer, are brought about by test/parity and test/package.
  () => /new Error\("(mock\.listen\(\): .*)"\)/.exec(read("mock/msw/setup-node.ts"))?.[1] ?? "",
  () => "Cannot find package 'msw' imported from node_modules/plant-store-client/dist/mock/node.js",
  () =>
    messageOf(() =>
      createRequire(new URL("../../package.json", import.meta.url)).resolve("plant-store-client/mock/browser"),
    ),
  async () => {
    await using store = await startMockPlantStore();
    return await messageOf(() => startMockPlantStore({ port: Number(new URL(store.url).port) }));
  },
  () => messageOf(() => JSON.stringify({ id: 1n })),
];

const headings = Array.from(read("docs/troubleshooting.md").matchAll(/^### (.*)$/gm), ([, text = ""]) => text);

beforeEach(() => {
  vi.stubEnv("PLANT_STORE_BASE_URL", "");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

it("every error of the guide is brought about here", () => {
  expect(headings).toHaveLength(produce.length);
});

it.each(headings.map((heading, index) => ({ heading, index })))(
  "the text is real: $heading",
  async ({ heading, index }) => {
    const pattern = heading.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    expect(await produce[index]?.()).toMatch(new RegExp(`^${pattern.join("[\\s\\S]*")}$`));
  },
);

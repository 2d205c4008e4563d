import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { createUndiciFetch } from "plant-store-client/undici";
import { afterAll, beforeAll, expect, test } from "vitest";

let store: HttpMockPlantStore;

beforeAll(async () => {
  store = await startMockPlantStore({ basePath: "/v1" });
});
afterAll(() => store.close());

test("a program of any language finds the service on a real port", async () => {
  expect(store.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  store.inject(faults.lostResponse());

  const result = await new PlantStoreClient(store.clientOptions).tryCreatePlant({ id: 1, name: "Ficus lyrata" });

  expect(result.ok ? "created" : result.error.outcome).toBe("unknown");
  expect(store.plants.has(1)).toBe(true);
});

test("code that brings its own sockets is tested over HTTP", async () => {
  const transport = createUndiciFetch();
  const client = new PlantStoreClient({ ...store.clientOptions, fetch: transport });

  await client.createPlant({ id: 2, name: "Sedum acre" });
  await transport.close();

  expect(store.plants.has(2)).toBe(true);
});

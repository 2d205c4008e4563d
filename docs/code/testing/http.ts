import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, beforeAll, expect, test } from "vitest";

let store: HttpMockPlantStore;

beforeAll(async () => {
  store = await startMockPlantStore({ basePath: "/v1" });
});
afterAll(() => store.close());

test("a program of any language finds the service on a real port", async () => {
  expect(store.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  const client = new PlantStoreClient(store.clientOptions);
  store.inject(faults.lostResponse());

  const result = await client.tryCreatePlant({ id: 1, name: "Ficus lyrata" });

  expect(result.ok ? "created" : result.error.outcome).toBe("unknown");
  expect(store.plants.has(1)).toBe(true);
});

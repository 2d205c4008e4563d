import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { connectMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { afterAll, expect, test } from "vitest";

// Your runner's global setup does this once, and passes the address to its workers.
const elsewhere = await startMockPlantStore();
afterAll(() => elsewhere.close());

test("each worker has a session of its own in one mock", async () => {
  await using store = await connectMockPlantStore(elsewhere.url);
  await using session = await store.session();
  await session.inject(faults.rateLimited(0), { when: { id: 9_223_372_036_854_775_807n } });

  const client = new PlantStoreClient(session.clientOptions);
  await client.createPlant({ id: 9_223_372_036_854_775_807n, name: "Wollemia nobilis" });

  expect(await session.plants.has(9_223_372_036_854_775_807n)).toBe(true);
  expect(await session.requests.count).toBe(2);
  expect(await store.plants.size).toBe(0);
  await session.verify();
});

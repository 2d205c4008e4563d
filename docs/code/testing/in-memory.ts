import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, test } from "vitest";

const store = createMockPlantStore({ auth: { tokens: [] } });

// #region plant
test("the plant reaches the service", async () => {
  using session = store.session();
  const client = new PlantStoreClient(session.clientOptions);

  await client.createPlant({ id: 1, name: "Ficus lyrata" });

  expect([...session.plants]).toEqual([{ id: 1, name: "Ficus lyrata" }]);
  session.verify();
});
// #endregion plant

// #region fault
test("if the response is lost, the plant may exist", async () => {
  using session = store.session();
  const client = new PlantStoreClient(session.clientOptions);
  session.inject(faults.lostResponse());

  const result = await client.tryCreatePlant({ id: 1, name: "Ficus lyrata" });

  expect(result.ok ? "created" : result.error.outcome).toBe("unknown");
  expect(session.plants.has(1)).toBe(true);
  session.verify();
});
// #endregion fault

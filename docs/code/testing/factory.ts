import { PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { createUndiciFetch } from "plant-store-client/undici";
import { expect, test } from "vitest";

function createClient(options: PlantStoreClientOptions = {}): PlantStoreClient {
  return new PlantStoreClient({ fetch: createUndiciFetch(), ...options });
}

test("in memory, the options of the mock go before the transport", async () => {
  using store = createMockPlantStore();

  await createClient(store.clientOptions).createPlant({ id: 1, name: "Ficus lyrata" });

  expect(store.plants.size).toBe(1);
});

// Not run: it needs a page and MSW's worker script.
import { PlantStoreClient } from "plant-store-client";
import { faults } from "plant-store-client/mock";
import { setupMockPlantStoreWorker } from "plant-store-client/mock/browser";

const store = setupMockPlantStoreWorker({ baseUrl: `${location.origin}/api` });
await store.start();

const client = new PlantStoreClient(store.clientOptions);
store.inject(faults.apiError(17, "the greenhouse is full"));
console.log(await client.tryCreatePlant({ id: 1, name: "Ficus lyrata" }), [...store.requests]);

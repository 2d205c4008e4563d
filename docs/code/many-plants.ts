import { createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

const store = createMockPlantStore();
store.inject(faults.apiError(17, "the greenhouse is full"), { when: { id: 7 } });
const client = new PlantStoreClient(store.clientOptions);

function* seedlings(count: number): Generator<NewPlant> {
  for (let id = 1; id <= count; id++) yield { id, name: `Seedling ${id}` };
}

// #region loop
let created = 0;
for await (const result of createPlants(client, seedlings(1_000), { concurrency: 16 })) {
  if (result.ok) created++;
  else console.log(result.input.name, result.error.outcome); // Seedling 7 rejected
}
console.log(`${created} created`); // 999 created
// #endregion loop

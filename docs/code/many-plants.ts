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
  else console.log(`${result.index}: ${result.input.name}: ${result.error.outcome}`); // 6: Seedling 7: rejected
}
console.log(`${created} created`); // 999 created
// #endregion loop

const shutdown = new AbortController();
const sent: NewPlant[] = [];
try {
  for await (const result of createPlants(client, seedlings(1_000_000), { signal: shutdown.signal })) {
    sent.push(result.input);
    if (sent.length === 100) shutdown.abort(new Error("shutting down"));
  }
} catch (error) {
  console.log(`${error}`, sent.length < 1_000); // Error: shutting down true
}

for await (const result of createPlants(client, seedlings(1_000_000))) {
  if (result.index === 10) break;
}

import { createPlants, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

const store = createMockPlantStore();
const client = new PlantStoreClient(store.clientOptions);

const plant = await client.createPlant({ id: 1, name: "Monstera deliciosa", tag: "climber" });
console.log(plant); // { name: 'Monstera deliciosa', tag: 'climber' }

console.log(store.plants.size); // 1
console.log(store.requests.last?.bodyText); // {"id":1,"name":"Monstera deliciosa","tag":"climber"}

store.inject(faults.apiError(17, "the greenhouse is full"));

const result = await client.tryCreatePlant({ id: 2, name: "Ficus lyrata" });
if (result.ok) {
  console.log("created", result.plant.name);
} else {
  console.log(result.error.kind, result.error.outcome, result.error.message); // api rejected the greenhouse is full
}

const plants = [
  { id: 3, name: "Calathea orbifolia" },
  { id: 4, name: "Pilea peperomioides" },
];
for await (const { ok, input } of createPlants(client, plants)) {
  if (!ok) console.log(`${input.name} was not created`);
}
console.log(store.plants.size); // 3

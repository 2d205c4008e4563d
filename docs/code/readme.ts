import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

// The whole service in memory, to try things out. Yours is { baseUrl: "https://…", token: "…" }.
const store = createMockPlantStore();

const client = new PlantStoreClient(store.clientOptions);
const plant = await client.createPlant({ id: 1, name: "Monstera deliciosa", tag: "climber" });

console.log(`created ${plant.name}, a ${plant.tag}`);

const result = await client.tryCreatePlant({ id: 2, name: "Aloe vera" });
if (result.ok) console.log("created", result.plant.name);
else if (result.error.outcome === "unknown") console.log("it may exist: look before you send it again");
else console.log("not created:", result.error.message);

import { createPlants } from "plant-store-client";

const seedlings = [3, 4, 5].map((id) => ({ id, name: `Seedling ${id}` })); // or a stream of millions
for await (const result of createPlants(client, seedlings, { concurrency: 16 })) {
  if (!result.ok) console.log(result.input, result.error.outcome);
}

import { faults } from "plant-store-client/mock";

store.inject(faults.lostResponse(), { when: { name: "Wollemia nobilis" } }); // stored, but no reply comes
const lost = await client.tryCreatePlant({ id: 9007199254740993n, name: "Wollemia nobilis" });

console.log(lost.ok, store.plants.has(9007199254740993n)); // false true
console.log(store.requests.last?.bodyText); // {"id":9007199254740993,"name":"Wollemia nobilis"}
store.verify(); // throws when a fault was not used, or something was sent that the service does not know

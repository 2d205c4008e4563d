import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

// The whole service in memory. For the real one, pass { baseUrl: "https://…", token: "…" }.
const store = createMockPlantStore();

const client = new PlantStoreClient(store.clientOptions);
const plant = await client.createPlant({ id: 1, name: "Monstera deliciosa", tag: "climber" });

console.log(`created ${plant.name}, a ${plant.tag}`); // created Monstera deliciosa, a climber

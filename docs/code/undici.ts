import { PlantStoreClient } from "plant-store-client";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { createUndiciFetch } from "plant-store-client/undici";

await using store = await startMockPlantStore();
const { baseUrl, token } = store.clientOptions;

// #region transport
const fetch = createUndiciFetch({ connections: 64 });
const client = new PlantStoreClient({ baseUrl, token, fetch });
await client.createPlant({ id: 1, name: "Ficus lyrata" });
await fetch.close();
// #endregion transport

console.log(store.plants.size); // 1

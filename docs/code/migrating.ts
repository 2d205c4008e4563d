import createClient from "openapi-fetch";
import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import type { paths } from "./schema.ts";

const store = createMockPlantStore();
const { baseUrl, token, fetch } = store;

async function createByHand(plant: { id: number; name: string; tag?: string }) {
  const response = await fetch(`${baseUrl}/plants`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify(plant),
    signal: AbortSignal.timeout(10_000),
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
console.log(await createByHand({ id: 1, name: "Ficus lyrata" })); // { name: 'Ficus lyrata' }

const client = new PlantStoreClient({ baseUrl, token, fetch, timeoutMs: 10_000 });
console.log(await client.createPlant({ id: 2, name: "Sedum acre" })); // { name: 'Sedum acre' }

const api = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` }, fetch });
const { data, error, response } = await api.POST("/plants", { body: { id: 3, name: "Aloe vera" } });
if (error) console.error(response.status, error.message);
console.log(data?.name); // Aloe vera

const result = await client.tryCreatePlant({ id: 4, name: "Aloe ferox" });
if (!result.ok) console.error(result.error.kind, result.error.message);
else console.log(result.status, result.plant.name); // 200 Aloe ferox

interface Plants {
  create(plant: { id: number; name: string }): Promise<{ name: string }>;
}
const plants: Plants = { create: (plant) => client.createPlant(plant) };
console.log(await plants.create({ id: 5, name: "Aloe arborescens" })); // { name: 'Aloe arborescens' }

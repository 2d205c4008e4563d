// Sends requests to the application, in memory, as a test of it would.

import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { createApp } from "./app.ts";

const store = createMockPlantStore({ duplicateIds: "reject" });
// Without retries, so that the caller sees the refused connection below.
const app = createApp(new PlantStoreClient({ ...store.clientOptions, maxRetries: 0 }));

async function post(body: string): Promise<void> {
  const response = await app.request("/garden", { method: "POST", body });
  console.log(response.status, await response.text());
}

await post('{"id":1,"name":"Acer campestre","tag":"tree"}');
await post('{"id":1,"name":"Acer palmatum"}');
await post('{"id":9007199254740993,"name":"Wollemia nobilis"}');
await post(JSON.stringify({ id: 2, name: "A".repeat(100_000) }));
store.inject(faults.connectionRefused());
await post('{"id":2,"name":"Abies alba"}');
store.inject(faults.lostResponse());
await post('{"id":3,"name":"Larix decidua"}');

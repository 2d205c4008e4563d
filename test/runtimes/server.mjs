// The mock on a port. It sends no requests, and so leaves the fetch of Node unloaded: that would take 13 MB, and most of the
// time until it is ready.
import { PlantStoreClient } from "plant-store-client";
import { startMockPlantStore } from "plant-store-client/mock/http";

const results = [];
const mock = await startMockPlantStore();
if (process.moduleLoadList !== undefined) {
  const name = "starts the mock on a port without the fetch of Node";
  const loaded = process.moduleLoadList.filter((module) => /\b(undici|http2)$/.test(module));
  results.push(loaded.length === 0 ? { name } : { name, problem: `It loaded ${loaded.join(", ")}` });
}
const name = "creates a plant in the mock on a port";
await new PlantStoreClient(mock.clientOptions).createPlant({ id: 2n ** 63n - 1n, name: "Fern" });
const isStored = mock.plants.has(2n ** 63n - 1n);
await mock.close();
results.push(isStored ? { name } : { name, problem: "The mock has no such plant" });
console.log(JSON.stringify(results));

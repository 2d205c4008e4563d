import { isPlantStoreError, type NewPlant, PlantStoreApiError, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

const store = createMockPlantStore();
const client = new PlantStoreClient(store.clientOptions);
const plant = { id: 1, name: "Ficus lyrata" };

store.inject(faults.apiError(17, "the greenhouse is full"));
try {
  await client.createPlant(plant);
} catch (error) {
  if (!isPlantStoreError(error)) throw error;
  console.log(error.kind, error.outcome); // api rejected
}

store.inject(faults.lostResponse());
const result = await client.tryCreatePlant(plant);
if (!result.ok && result.error.outcome === "unknown") {
  console.log(result.error.kind, store.plants.has(plant.id)); // connection true
}

async function createOrPark(newPlant: NewPlant, park: (newPlant: NewPlant) => void): Promise<string> {
  const result = await client.tryCreatePlant(newPlant);
  if (result.ok) return "created";
  switch (result.error.outcome) {
    case "not-sent": // it cannot exist: the same call may be made again, now or later
    case "rejected": // the service said no: sending the same again may succeed, and makes no second plant
      return result.error.kind;
    case "unknown": // it may exist: only the service's own records can tell
      park(newPlant);
      return "parked";
  }
}

const parked: NewPlant[] = [];
store.inject(faults.truncatedBody());
console.log(await createOrPark({ id: 2, name: "Sedum acre" }, (newPlant) => parked.push(newPlant))); // parked
console.log(parked.length); // 1

store.inject(faults.apiError(17, "the greenhouse is full"));
const refused = await client.tryCreatePlant(plant);
if (!refused.ok && refused.error instanceof PlantStoreApiError) {
  const { status, code, message } = refused.error;
  console.log(status, code, message); // 400 17 the greenhouse is full
}

const controller = new AbortController();
const gate = store.hold();
const pending = client.tryCreatePlant(plant, { signal: controller.signal });
await gate.arrived(1);
controller.abort(new Error("the person left the page"));
const aborted = await pending;
if (!aborted.ok) console.log(aborted.error.kind, aborted.error.outcome); // aborted unknown

store.reset();
store.inject(faults.connectionRefused(), { times: 3 });
const failed = await client.tryCreatePlant(plant);
if (!failed.ok) {
  const { name, kind, outcome, attempts } = failed.error;
  console.log(name, kind, outcome, attempts.length); // PlantStoreConnectionError connection not-sent 3
  const line = JSON.stringify(failed.error);
  console.log(line.includes(store.token)); // false
}

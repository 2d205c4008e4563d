import { type Attempt, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

const store = createMockPlantStore();
const plant = { id: 1, name: "Ficus lyrata" };

const log: string[] = [];
const client = new PlantStoreClient({
  ...store.clientOptions,
  maxRetries: 2,
  onAttempt: ({ number, reason, status, code }: Attempt) => log.push(`${number}: ${reason} ${status ?? code}`),
});

store.inject(faults.rateLimited(0));
store.inject(faults.connectionRefused());
await client.createPlant(plant);
console.log(log); // [ '1: status 429', '2: network ECONNREFUSED', '3: ok 200' ]
console.log(store.plants.size); // 1

store.reset();
store.inject(faults.lostResponse());
const result = await client.tryCreatePlant(plant);
console.log(result.attempts.length, result.ok ? "created" : result.error.outcome); // 1 unknown

store.reset();
store.inject(faults.lostResponse());
await client.createPlant(plant, { retry: "idempotent" });
console.log(store.plants.size); // 2

store.reset();
store.inject(faults.rateLimited(3600));
const later = await client.tryCreatePlant(plant);
if (!later.ok && later.error.kind === "api") {
  console.log(later.attempts.length, later.error.retryAfterMs); // 1 3600000
}

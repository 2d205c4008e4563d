import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

const store = createMockPlantStore();
const client = new PlantStoreClient(store.clientOptions);

await client.createPlant({ id: 42, name: "Ficus lyrata" });
await client.createPlant({ id: 9_223_372_036_854_775_807n, name: "Wollemia nobilis" });
console.log(store.requests.last?.bodyText); // {"id":9223372036854775807,"name":"Wollemia nobilis"}

const rounded = JSON.parse('{"id":9007199254740993}').id;
console.log(rounded); // 9007199254740992

const result = await client.tryCreatePlant({ id: rounded, name: "Ficus lyrata" });
if (!result.ok && result.error.kind === "input") console.log(result.error.issues[0]?.path, result.attempts.length); // [ 'id' ] 0

function readId(text: string): bigint {
  if (!/^-?\d{1,19}$/.test(text)) throw new RangeError(`no id: ${text}`);
  return BigInt(text);
}
await client.createPlant({ id: readId("9007199254740993"), name: "Ficus lyrata" });

console.log(store.plants.get(9_007_199_254_740_993n)); // { id: 9007199254740993n, name: 'Ficus lyrata' }
console.log(store.plants.get(42n)); // { id: 42, name: 'Ficus lyrata' }

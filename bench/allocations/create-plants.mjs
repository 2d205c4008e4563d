// A thousand plants through createPlants, over a stub.
import { stubs } from "../client/stubs.mjs";

const PLANTS = 1000;

export default async function setup({ dist }) {
  const { createPlants, PlantStoreClient } = await import(dist);
  const client = new PlantStoreClient({ baseUrl: "https://plants.example/v1", token: "secret", fetch: stubs.plain });
  return async () => {
    let created = 0;
    for await (const { ok } of createPlants(client, plants())) if (ok) created++;
    if (created !== PLANTS) throw new Error(`${created} of ${PLANTS} plants were created`);
  };
}

function* plants() {
  for (let id = 1; id <= PLANTS; id++) yield { id, name: "Monstera deliciosa", tag: "araceae" };
}

// Many plants, with a checkpoint file: an interrupted import continues where it stopped.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type NewPlant, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { importRest } from "./many-plants-resume/import-rest.ts";

function* seedlings(count: number): Generator<NewPlant> {
  for (let id = 1; id <= count; id++) yield { id, name: `Seedling ${id}` };
}

function* brokenOff(): Generator<NewPlant> {
  yield* seedlings(40);
  throw new Error("the list broke off after 40 plants");
}

const store = createMockPlantStore();
// It is stored, but the response never arrives.
store.inject(faults.lostResponse(), { when: { id: 7 } });
const client = new PlantStoreClient(store.clientOptions);

const folder = await mkdtemp(join(tmpdir(), "many-plants-"));
const checkpoint = join(folder, "checkpoint.ndjson");
try {
  const logMessage = (error: Error) => console.log(error.message);
  await importRest(client, brokenOff(), checkpoint).catch(logMessage);
  console.log(`${store.requests.count} plants were sent`);
  const { mayExist } = await importRest(client, seedlings(100), checkpoint);
  console.log(`${store.requests.count} plants were sent, none of them twice`);
  console.log(`check in the store, because they may exist: ${mayExist.join(", ")}`);
} finally {
  await rm(folder, { recursive: true });
}

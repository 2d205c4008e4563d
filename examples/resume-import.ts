// An import that crashed continues, and sends no plant twice.

import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";

/**
 * Creates the plants that do not exist, by their ids. Call it again after a crash, with the
 * same file: a plant is sent again only if it certainly does not exist. Use a file in one
 * process at a time.
 *
 * @returns the ids of the plants that may exist.
 */
async function importRest(client: PlantStoreClient, plants: Iterable<NewPlant>, file: string) {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  // A crash can cut the last line short: one without a state was never sent.
  const entries = text.split("\n").map((line) => line.split(" "));
  const states = new Map(
    entries.filter(([, state]) => state).map(([id, state]) => [id, state]),
  );
  function record(id: NewPlant["id"], state: string): void {
    states.set(`${id}`, state);
    appendFileSync(file, `\n${id} ${state}`, { flush: true });
  }
  function* rest(): Generator<NewPlant> {
    for (const plant of plants) {
      const state = states.get(`${plant.id}`);
      if (state !== undefined && state !== "not-sent" && state !== "rejected") continue;
      record(plant.id, "sent");
      yield plant;
    }
  }
  for await (const result of createPlants(client, rest())) {
    record(result.input.id, result.ok ? "created" : result.outcome);
  }
  // A state that a crash cut short counts as unknown.
  const isKnown = (state = "") => ["created", "not-sent", "rejected"].includes(state);
  return [...states.keys()].filter((id) => !isKnown(states.get(id)));
}

const store = createMockPlantStore();
store.inject(faults.lostResponse(), { when: { id: 7 } });
const client = new PlantStoreClient(store.clientOptions);
const plants = Array.from({ length: 20 }, (_, id) => ({ id, name: `Seedling ${id}` }));
const file = join(mkdtempSync(join(tmpdir(), "import-")), "progress.txt");
console.log(await importRest(client, plants, file)); // [ '7' ]
console.log(await importRest(client, plants, file), store.requests.count); // [ '7' ] 20

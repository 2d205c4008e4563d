import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createPlants, PlantStoreClient } from "plant-store-client";
import { fingerprintOf, openJournal } from "plant-store-client/journal";
import { createMockPlantStore } from "plant-store-client/mock";

const store = createMockPlantStore();
/** A query of your own, because the contract shows none: of a database, an inventory, or the owner of the service. */
const lookUp = async (id: number | bigint) => store.plants.has(id);
const client = new PlantStoreClient(store.clientOptions);
const plants = [{ id: 17, name: "Ficus lyrata" }];
const path = join(mkdtempSync(join(tmpdir(), "import-")), "import.journal");

// #region file
const journal = await openJournal(path, { baseUrl: store.baseUrl });
try {
  for await (const { ok, input, outcome } of createPlants(client, plants, { journal })) {
    if (!ok) console.log(input.id, outcome);
  }
  console.log([...journal.created()]); // [ 17 ]
} finally {
  await journal.close();
}
// #endregion file

// #region unclear
const settled = await openJournal(path, { baseUrl: store.baseUrl });
try {
  for (const id of settled.unclear()) {
    const exists = await lookUp(id);
    await settled.resolve(id, { exists });
    console.log(`${id} ${exists ? "exists" : "is sent by the next run"}`);
  }
} finally {
  await settled.close();
}
// #endregion unclear

// #region fingerprint
const row = { id: 17, name: "Ficus lyrata", created: fingerprintOf({ name: "Ficus lyrata" }) };
console.log(row.created === fingerprintOf({ name: "Ficus lyrata", tag: null })); // true
// #endregion fingerprint

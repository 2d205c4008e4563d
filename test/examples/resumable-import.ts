// A program for many-plants-resume.gate.test.ts, which kills it: imports 200 plants with the checkpoint file of its argument.

import { PlantStoreClient } from "plant-store-client";
import { importRest } from "../../examples/many-plants-resume/import-rest.ts";

function* plants() {
  for (let id = 1; id <= 200; id++) yield { id, name: `Seedling ${id}` };
}

console.log(JSON.stringify(await importRest(new PlantStoreClient(), plants(), process.argv[2] ?? "")));

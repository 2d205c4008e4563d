import {
  errorSchema,
  newPlantTextSchema,
  PlantStoreClient,
  plantSchema,
} from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

const client = new PlantStoreClient(createMockPlantStore().clientOptions);

// #region try
const result = await client.tryCreatePlant({ id: 1, name: "Ficus lyrata" });
if (result.ok) console.log("created", result.plant.name);
else if (result.error.outcome === "unknown") console.log("it may exist: check the store first");
else console.log("not created:", result.error.message);
// #endregion try

// #region plantSchema
const plant = plantSchema["~standard"].validate({ name: "Ficus lyrata", tag: 7 });
console.log(plant.issues?.[0]?.message); // must be a string, not 7
// #endregion plantSchema

// #region errorSchema
const body = errorSchema["~standard"].validate({ error: 17, message: "no such tag" });
console.log(body.issues === undefined); // true
// #endregion errorSchema

// #region newPlantTextSchema
const row = newPlantTextSchema["~standard"].validate({
  id: " 9007199254740993",
  name: "Zea mays",
  tag: "",
});
console.log("value" in row && row.value); // { id: 9007199254740993n, name: 'Zea mays' }
// #endregion newPlantTextSchema

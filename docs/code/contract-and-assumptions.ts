import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

const store = createMockPlantStore({
  strict: true,
  duplicateIds: "reject",
  auth: {
    tokens: ["a-valid-token"],
    invalid: { status: 403, body: { error: 7, message: "this token is not known" } },
  },
  errorCodes: { duplicateId: 1062 },
});

const client = new PlantStoreClient(store.clientOptions);
await client.createPlant({ id: 1, name: "Ficus lyrata" });
const again = await client.tryCreatePlant({ id: 1, name: "Ficus lyrata" });
if (!again.ok && again.error.kind === "api") console.log(again.error.status, again.error.code); // 400 1062

const stranger = new PlantStoreClient({ ...store.clientOptions, token: "another-token" });
const refused = await stranger.tryCreatePlant({ id: 2, name: "Sedum acre" });
if (!refused.ok && refused.error.kind === "api") console.log(refused.error.status, refused.error.message); // 403 this token is not known

console.log(store.requests.last?.provenance); // assumed

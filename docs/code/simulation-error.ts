import { PlantStoreClient } from "plant-store-client";
import { SimulationError, simulate } from "plant-store-client/mock";

try {
  // An import that sends every plant again until it works.
  await simulate(async ({ plants, clientOptions }) => {
    const client = new PlantStoreClient(clientOptions);
    for (const plant of plants) {
      while (!(await client.tryCreatePlant(plant)).ok);
    }
    return { created: plants.map(({ id }) => id) };
  });
} catch (error) {
  if (!(error instanceof SimulationError)) throw error;
  console.log(error.problem); // plant 2 is stored twice
  console.log(error.faults.length); // 1
}

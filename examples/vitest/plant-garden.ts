import type { AnyPlantStoreError, NewPlant, PlantCreator } from "plant-store-client";

/** The results for the plants of a garden. */
export interface Garden {
  planted: string[];
  refused: string[];
  /** They may exist: somebody must look before they are sent again. */
  unsure: string[];
}

/** The code under test: creates each plant, and reports the results. */
export async function plantGarden(
  client: Pick<PlantCreator, "tryCreatePlant">,
  plants: Iterable<NewPlant>,
): Promise<Garden> {
  const garden: Garden = { planted: [], refused: [], unsure: [] };
  for (const plant of plants) {
    const result = await client.tryCreatePlant(plant);
    if (result.ok) garden.planted.push(result.plant.name);
    else if (result.error.outcome === "unknown") garden.unsure.push(plant.name);
    else garden.refused.push(`${plant.name}: ${reasonOf(result.error)}`);
  }
  return garden;
}

/** The service's own words if it sent any. */
function reasonOf(error: AnyPlantStoreError): string {
  return error.kind === "api" ? error.body.message : error.message;
}

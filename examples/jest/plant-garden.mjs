/**
 * The code under test: creates each plant, and reports the results. Plants that it is unsure of may exist: somebody must
 * look before they are sent again.
 *
 * @param {Pick<import("plant-store-client").PlantCreator, "tryCreatePlant">} client
 * @param {Iterable<import("plant-store-client").NewPlant>} plants
 */
export async function plantGarden(client, plants) {
  const garden = { planted: [], refused: [], unsure: [] };
  for (const plant of plants) {
    const result = await client.tryCreatePlant(plant);
    if (result.ok) garden.planted.push(result.plant.name);
    else if (result.error.outcome === "unknown") garden.unsure.push(plant.name);
    else garden.refused.push(`${plant.name}: ${reasonOf(result.error)}`);
  }
  return garden;
}

/** The service's own words if it sent any. */
function reasonOf(error) {
  return error.kind === "api" ? error.body.message : error.message;
}

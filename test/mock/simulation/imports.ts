import { type CreatePlantResult, createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import type { Scenario, SimulatedWorld } from "plant-store-client/mock";

export type Verdict = "created" | "failed" | "unknown";

export const verdictOf = (result: CreatePlantResult): Verdict => {
  if (result.ok) return "created";
  return result.outcome === "unknown" ? "unknown" : "failed";
};
export const newReport = () => ({
  created: [] as NewPlant["id"][],
  failed: [] as NewPlant["id"][],
  unknown: [] as NewPlant["id"][],
});
export const clientOf = ({ clientOptions }: SimulatedWorld, options: object = {}) =>
  new PlantStoreClient({ ...clientOptions, ...options });
export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An import that creates one plant after the other, and reports each as the function says, or not at all. */
export function oneByOne(
  create: (plant: NewPlant, client: PlantStoreClient) => Promise<Verdict | undefined>,
  options?: object,
): Scenario {
  return async (world) => {
    const report = newReport();
    for (const plant of world.plants) {
      const verdict = await create(plant, clientOf(world, options));
      if (verdict) report[verdict].push(plant.id);
    }
    return report;
  };
}

export const rightImports: Record<string, Scenario> = {
  "one plant after the other": oneByOne(async (plant, client) => verdictOf(await client.tryCreatePlant(plant))),

  "all at once, by createPlants": async (world) => {
    const report = newReport();
    for await (const result of createPlants(clientOf(world), world.plants)) {
      report[verdictOf(result)].push(result.input.id);
    }
    return report;
  },

  "again after a failure, unless the plant may exist": oneByOne(async (plant, client) => {
    let result = await client.tryCreatePlant(plant);
    for (let tries = 1; tries < 4 && verdictOf(result) === "failed"; tries++) {
      await sleep(1_000 * 2 ** tries);
      result = await client.tryCreatePlant(plant);
    }
    return verdictOf(result);
  }),
};

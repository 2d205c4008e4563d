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
export const clientOf = ({ clientOptions }: SimulatedWorld) => new PlantStoreClient(clientOptions);
export const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An import that creates one plant after the other, and reports each as the function says, or not at all. */
export function oneByOne(
  create: (plant: NewPlant, client: PlantStoreClient) => Promise<Verdict | undefined>,
): Scenario {
  return async (world) => {
    const report = newReport();
    for (const plant of world.plants) {
      const verdict = await create(plant, clientOf(world));
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

/** Each is wrong in one way that has been seen in imports. */
export const wrongImports: Record<string, Scenario> = {
  "sends an unknown plant again": oneByOne(async (plant, client) => {
    let result = await client.tryCreatePlant(plant);
    for (let tries = 1; tries < 3 && !result.ok; tries++) result = await client.tryCreatePlant(plant);
    return verdictOf(result);
  }),

  "counts every error as a failure": oneByOne(async (plant, client) => {
    const { ok } = await client.tryCreatePlant(plant);
    return ok ? "created" : "failed";
  }),

  "counts an unknown plant as created": oneByOne(async (plant, client) => {
    const verdict = verdictOf(await client.tryCreatePlant(plant));
    return verdict === "unknown" ? "created" : verdict;
  }),

  "does not report the rest after a break": async (world) => {
    const report = newReport();
    for await (const result of createPlants(clientOf(world), world.plants)) {
      report[verdictOf(result)].push(result.input.id);
      if (!result.ok) break;
    }
    return report;
  },

  "swallows an abort": oneByOne(async (plant, client) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 2_000);
    const result = await client.tryCreatePlant(plant, { signal: controller.signal });
    return !result.ok && result.error.kind === "aborted" ? "failed" : verdictOf(result);
  }),

  "gives up without a word after a few refusals": oneByOne(async (plant, client) => {
    let result = await client.tryCreatePlant(plant);
    if (result.outcome === "rejected") result = await client.tryCreatePlant(plant);
    return result.outcome === "rejected" ? undefined : verdictOf(result);
  }),

  // Tried with a service that refuses duplicates, where sending again is harmless.
  "counts the refusal of a duplicate after a lost response as a failure": oneByOne(async (plant, client) => {
    let result = await client.tryCreatePlant(plant);
    if (result.outcome === "unknown") result = await client.tryCreatePlant(plant);
    return verdictOf(result);
  }),

  "has retry: idempotent for a service that accepts duplicates": oneByOne(async (plant, client) => {
    return verdictOf(await client.tryCreatePlant(plant, { retry: "idempotent" }));
  }),

  "forgets a plant when a wave of them fails": async (world) => {
    const report = newReport();
    for (let start = 0; start < world.plants.length; start += 3) {
      const wave = world.plants.slice(start, start + 3);
      const ids = wave.map(({ id }) => id);
      await Promise.all(wave.map((plant) => clientOf(world).createPlant(plant))).then(
        () => report.created.push(...ids),
        () => report.failed.push(...ids),
      );
    }
    return report;
  },

  "takes a deadline for proof that nothing was sent": oneByOne(async (plant, client) => {
    const result = await client.tryCreatePlant(plant, { timeoutMs: 5_000 });
    return !result.ok && result.error.kind === "timeout" ? "failed" : verdictOf(result);
  }),

  "lets an error escape that is not the client's": oneByOne(async (plant, client) => {
    const result = await client.tryCreatePlant(plant);
    if (!result.ok && result.error.kind === "api") throw new Error("the service refused a plant");
    return verdictOf(result);
  }),

  "mixes two tokens": async ({ plants, store }) => {
    const [mine, other] = [store.session(), store.session()];
    const report = newReport();
    for (const plant of plants) {
      let result = await new PlantStoreClient(mine.clientOptions).tryCreatePlant(plant);
      // After a refusal it goes on with the token of another tenant.
      if (result.outcome === "rejected") result = await new PlantStoreClient(other.clientOptions).tryCreatePlant(plant);
      report[verdictOf(result)].push(plant.id);
    }
    if (other.plants.size > 0) throw new Error("a plant was created for another tenant");
    // The mock compares with the plants of the root session.
    for (const plant of mine.plants) store.plants.add(plant);
    return report;
  },
};

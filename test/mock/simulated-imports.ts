import { type CreatePlantResult, createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import type { Scenario, SimulatedReport, SimulatedWorld } from "plant-store-client/mock";

type Id = number | bigint;

/** The three lists of a report, filled one plant after the other. */
class Report implements SimulatedReport {
  readonly created: Id[] = [];
  readonly failed: Id[] = [];
  readonly unknown: Id[] = [];

  /** Right: what the client says. */
  add({ id }: NewPlant, result: CreatePlantResult): void {
    if (result.ok) this.created.push(id);
    else if (result.outcome === "unknown") this.unknown.push(id);
    else this.failed.push(id);
  }
}

const clientOf = ({ clientOptions }: SimulatedWorld) => new PlantStoreClient(clientOptions);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

export const rightImports: Record<string, Scenario> = {
  "one plant after the other": async (world) => {
    const report = new Report();
    for (const plant of world.plants) report.add(plant, await clientOf(world).tryCreatePlant(plant));
    return report;
  },

  "all at once, by createPlants": async (world) => {
    const report = new Report();
    for await (const result of createPlants(clientOf(world), world.plants)) report.add(result.input, result);
    return report;
  },

  "again after a failure, unless the plant may exist": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      let result = await clientOf(world).tryCreatePlant(plant);
      for (let tries = 1; tries < 4 && result.outcome !== undefined && result.outcome !== "unknown"; tries++) {
        await sleep(1_000 * 2 ** tries);
        result = await clientOf(world).tryCreatePlant(plant);
      }
      report.add(plant, result);
    }
    return report;
  },
};

/** Each is wrong in one way that has been seen in imports. */
export const wrongImports: Record<string, Scenario> = {
  "sends an unknown plant again": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      let result = await clientOf(world).tryCreatePlant(plant);
      for (let tries = 1; tries < 3 && !result.ok; tries++) result = await clientOf(world).tryCreatePlant(plant);
      report.add(plant, result);
    }
    return report;
  },

  "counts every error as a failure": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      const result = await clientOf(world).tryCreatePlant(plant);
      (result.ok ? report.created : report.failed).push(plant.id);
    }
    return report;
  },

  "counts an unknown plant as created": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      const result = await clientOf(world).tryCreatePlant(plant);
      const mayExist = result.ok || result.outcome === "unknown";
      (mayExist ? report.created : report.failed).push(plant.id);
    }
    return report;
  },

  "does not report the rest after a break": async (world) => {
    const report = new Report();
    for await (const result of createPlants(clientOf(world), world.plants)) {
      report.add(result.input, result);
      if (!result.ok) break;
    }
    return report;
  },

  "swallows an abort": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 2_000);
      const result = await clientOf(world).tryCreatePlant(plant, { signal: controller.signal });
      if (!result.ok && result.error.kind === "aborted") report.failed.push(plant.id);
      else report.add(plant, result);
    }
    return report;
  },

  "gives up without a word after a few refusals": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      let result = await clientOf(world).tryCreatePlant(plant);
      for (let tries = 1; tries < 2 && result.outcome === "rejected"; tries++) {
        result = await clientOf(world).tryCreatePlant(plant);
      }
      if (result.outcome !== "rejected") report.add(plant, result);
    }
    return report;
  },

  // Tried with a service that refuses duplicates, where sending again is harmless.
  "counts the refusal of a duplicate after a lost response as a failure": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      let result = await clientOf(world).tryCreatePlant(plant);
      if (result.outcome === "unknown") result = await clientOf(world).tryCreatePlant(plant);
      report.add(plant, result);
    }
    return report;
  },

  "has retry: idempotent for a service that accepts duplicates": async ({ plants, clientOptions }) => {
    const report = new Report();
    const client = new PlantStoreClient({ ...clientOptions, retry: "idempotent" });
    for (const plant of plants) report.add(plant, await client.tryCreatePlant(plant));
    return report;
  },

  "forgets a plant when a wave of them fails": async (world) => {
    const report = new Report();
    for (let start = 0; start < world.plants.length; start += 3) {
      const wave = world.plants.slice(start, start + 3);
      try {
        await Promise.all(wave.map((plant) => clientOf(world).createPlant(plant)));
        report.created.push(...wave.map(({ id }) => id));
      } catch {
        report.failed.push(...wave.map(({ id }) => id));
      }
    }
    return report;
  },

  "takes a deadline for proof that nothing was sent": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      const result = await clientOf(world).tryCreatePlant(plant, { timeoutMs: 5_000 });
      if (!result.ok && result.error.kind === "timeout") report.failed.push(plant.id);
      else report.add(plant, result);
    }
    return report;
  },

  "lets an error escape that is not the client's": async (world) => {
    const report = new Report();
    for (const plant of world.plants) {
      const result = await clientOf(world).tryCreatePlant(plant);
      if (!result.ok && result.error.kind === "api") throw new Error("the service refused a plant");
      report.add(plant, result);
    }
    return report;
  },

  "mixes two tokens": async (world) => {
    const [mine, other] = [world.store.session(), world.store.session()];
    const report = new Report();
    for (const plant of world.plants) {
      const client = new PlantStoreClient(mine.clientOptions);
      const result = await client.tryCreatePlant(plant);
      // After a refusal it goes on with the token of another tenant.
      const second =
        result.outcome === "rejected" && (await new PlantStoreClient(other.clientOptions).tryCreatePlant(plant));
      report.add(plant, second || result);
    }
    if (other.plants.size > 0) throw new Error("a plant was created for another tenant");
    const created = report.created.filter((id) => !mine.plants.has(id));
    if (created.length > 0) throw new Error(`${created} do not exist`);
    // The mock compares with the plants of the root session.
    for (const plant of mine.plants) world.store.plants.add(plant);
    return report;
  },
};

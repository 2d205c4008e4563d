import { pathToFileURL } from "node:url";
import { createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import {
  type Fetch,
  type Scenario,
  type SimulatedWorld,
  type SimulateOptions,
  simulate,
} from "plant-store-client/mock";
import { expect, test } from "vitest";
import installPackages, { packages } from "../../install-packages.ts";
import { clientOf, newReport, type Verdict, verdictOf } from "./imports.ts";

/** Runs and seeds: the gate tries some, `SIMULATED_RUNS=3000` all. */
const runs = Number(process.env.SIMULATED_RUNS ?? 200);
const seeds = runs > 200 ? [1, 1_000_000, 2_000_000] : [1];

installPackages();

/** A package of the guides, which users have and this package does not. */
function load(path: string): Promise<{ default: unknown }> {
  return import(/* @vite-ignore */ pathToFileURL(`${packages}/${path}`).href);
}

interface Queue {
  add<Result>(task: () => Promise<Result>): Promise<Result>;
}
interface Limiter {
  schedule<Result>(task: () => Promise<Result>): Promise<Result>;
  disconnect(): Promise<void>;
}
const { default: PQueue } = (await load("p-queue/dist/index.js")) as { default: new (options: object) => Queue };
const { default: Bottleneck } = (await load("bottleneck/lib/index.js")) as {
  default: new (options: object) => Limiter;
};

/** Creates all plants at once, by a function that limits them. */
const limited =
  (limit: (world: SimulatedWorld) => <Result>(task: () => Promise<Result>) => Promise<Result>): Scenario =>
  async (world) => {
    const report = newReport();
    const run = limit(world);
    const create = async (plant: NewPlant) =>
      report[verdictOf(await clientOf(world).tryCreatePlant(plant))].push(plant.id);
    await Promise.all(world.plants.map((plant) => run(() => create(plant))));
    return report;
  };

const all = async ({ plants }: SimulatedWorld, client: PlantStoreClient, options = {}) => {
  const report = newReport();
  for await (const result of createPlants(client, plants, options)) report[verdictOf(result)].push(result.input.id);
  return report;
};

/** A consumer of a queue, which delivers a plant twice now and then, with two workers. */
const consumer: Scenario = async (world) => {
  const { plants, journal } = world;
  const verdicts = new Map<NewPlant["id"], Verdict>();
  const jobs = plants.entries();
  const work = async () => {
    for (const [index, plant] of jobs) {
      const state = await journal.claim(index, plant);
      if (state === "created") continue;
      if (state === "unknown") {
        if (!verdicts.has(plant.id)) verdicts.set(plant.id, "unknown");
        continue;
      }
      const result = await clientOf(world).tryCreatePlant(plant);
      await journal.record(index, result.ok ? "created" : result.outcome);
      verdicts.set(plant.id, verdictOf(result));
    }
  };
  await Promise.all([work(), work()]);
  const report = newReport();
  for (const [id, verdict] of verdicts) report[verdict].push(id);
  return report;
};

const SEED = [1, 2, 3].map((id) => ({ id, name: "Seed" }));
const few = Math.ceil(runs / 1_000);

const imports: Record<string, readonly [Scenario, SimulateOptions?]> = {
  "uses p-queue with a limit in time": [
    limited(() => {
      const queue = new PQueue({ concurrency: 2, interval: 1_000, intervalCap: 3 });
      return (task) => queue.add(task);
    }),
  ],
  "uses Bottleneck": [
    limited(() => {
      const limiter = new Bottleneck({
        maxConcurrent: 3,
        minTime: 200,
        reservoir: 4,
        reservoirRefreshAmount: 4,
        reservoirRefreshInterval: 1_000,
      });
      return (task) => limiter.schedule(task);
    }),
  ],
  "logs a clone of every response": [
    async (world) => {
      const { fetch } = world.clientOptions as { fetch: Fetch };
      const cloning: Fetch = async (url, init) => {
        const response = await fetch(url, init);
        await response.clone().text();
        return response;
      };
      const client = new PlantStoreClient({ ...world.clientOptions, fetch: cloning });
      return all(world, client);
    },
  ],
  "creates 3,000 plants": [(world) => all(world, clientOf(world)), { plants: 3_000, runs: few }],
  "creates plants that exist": [
    (world) => all(world, clientOf(world)),
    { mock: { seed: SEED, duplicateIds: "reject" }, permanent: true },
  ],
  "uses a session": [
    async (world) => {
      const session = world.store.session();
      const report = await all(world, new PlantStoreClient(session.clientOptions));
      session[Symbol.dispose]();
      return report;
    },
  ],
  "continues with a journal": [(world) => all(world, clientOf(world), { journal: world.journal }), { crashes: true }],
  "consumes a queue": [consumer, { crashes: true, redeliveries: true }],
};

test.each(Object.entries(imports))("nothing is found in an import that %s", async (_, [scenario, options]) => {
  for (const seed of seeds) {
    const summary = await simulate(scenario, { runs, seed, ...options });
    console.log(expect.getState().currentTestName, seed, JSON.stringify(summary));
    expect(summary.faults).toBeGreaterThan(0);
    expect(summary.created).toBeGreaterThan(0);
  }
});

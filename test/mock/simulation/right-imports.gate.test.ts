import { pathToFileURL } from "node:url";
import { createPlants, type NewPlant } from "plant-store-client";
import { type Scenario, type SimulatedWorld, type SimulateOptions, simulate } from "plant-store-client/mock";
import { expect, test } from "vitest";
import installPackages, { packages } from "../../install-packages.ts";
import { clientOf, newReport, type Verdict, verdictOf } from "./imports.ts";

/** Runs and seeds: the gate tries some, `SIMULATED_RUNS=3000` all. */
const runs = Number(process.env.SIMULATED_RUNS ?? 200);
const seeds = runs > 200 ? [1, 1_000_000, 2_000_000] : [1];

installPackages();

interface Queue {
  add<Result>(task: () => Promise<Result>): Promise<Result>;
}
/** A package that many imports use, and this package does not. */
const path = pathToFileURL(`${packages}/p-queue/dist/index.js`).href;
const { default: PQueue }: { default: new (options: object) => Queue } = await import(/* @vite-ignore */ path);

/** Creates all plants at once, by a queue with a limit in time. */
const queued: Scenario = async (world) => {
  const report = newReport();
  const queue = new PQueue({ concurrency: 2, interval: 1_000, intervalCap: 3 });
  const create = async (plant: NewPlant) =>
    report[verdictOf(await clientOf(world).tryCreatePlant(plant))].push(plant.id);
  await Promise.all(world.plants.map((plant) => queue.add(() => create(plant))));
  return report;
};

const all = async (world: SimulatedWorld, options = {}) => {
  const report = newReport();
  for await (const result of createPlants(clientOf(world), world.plants, options))
    report[verdictOf(result)].push(result.input.id);
  return report;
};

/** A consumer of a queue, which delivers a plant twice now and then, with two workers. */
const consumer: Scenario = async (world) => {
  const { plants, journal } = world;
  const verdicts = new Map<NewPlant["id"], Verdict>();
  const jobs = plants.values();
  const work = async () => {
    for (const plant of jobs) {
      const state = await journal.claim(plant);
      if (state === "created") continue;
      if (state === "unknown") {
        if (!verdicts.has(plant.id)) verdicts.set(plant.id, "unknown");
        continue;
      }
      const result = await clientOf(world).tryCreatePlant(plant);
      await journal.record(plant, result.ok ? "created" : result.outcome);
      verdicts.set(plant.id, verdictOf(result));
    }
  };
  await Promise.all([work(), work()]);
  const report = newReport();
  for (const [id, verdict] of verdicts) report[verdict].push(id);
  return report;
};

const INITIAL_PLANTS = [1, 2, 3].map((id) => ({ id, name: "Initial" }));
const few = Math.ceil(runs / 70);

const imports: Record<string, readonly [Scenario, SimulateOptions?]> = {
  "uses p-queue with a limit in time": [queued],
  "creates 3,000 plants": [(world) => all(world), { plants: 3_000, runs: few }],
  "creates plants that exist": [
    (world) => all(world),
    { mock: { initialPlants: INITIAL_PLANTS, duplicateIds: "reject" }, permanent: true },
  ],
  "continues with a journal": [(world) => all(world, { journal: world.journal }), { crashes: true }],
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

import { type CreatePlantsResult, createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import { type Scenario, type SimulatedWorld, type SimulateOptions, simulate } from "plant-store-client/mock";
import { expect, test } from "vitest";
import { seed, shareMs, timeoutMs } from "./assert-property.ts";

type Id = NewPlant["id"];
const upTo = (limit: number) => Math.floor(Math.random() * (limit + 1));
const sometimes = (limit: number) => (Math.random() < 0.3 ? upTo(limit) : undefined);

/** Simulates a number of runs; as many rounds of them as the environment gives time for. */
async function simulateRuns(scenario: Scenario, options: SimulateOptions = {}) {
  const runs = 25;
  const start = performance.now();
  let first = seed;
  do {
    await simulate(scenario, { runs, seed: first % 2 ** 31, permanent: true, ...options });
    first += runs;
  } while (performance.now() - start < shareMs);
  console.log(`${expect.getState().currentTestName}: ${first - seed} runs, seed ${seed}`);
}

/** The plants that were pulled from the input, whose second and later plants sometimes take a while. */
function pulling({ plants, clock }: SimulatedWorld) {
  const pulled = new Set<Id>();
  async function* input() {
    for (const plant of plants) {
      const pauseMs = sometimes(5_000);
      if (pauseMs !== undefined && pulled.size > 0) await clock.sleep(pauseMs);
      pulled.add(plant.id);
      yield plant;
    }
  }
  return { input: input(), pulled };
}

/** A run of createPlants that a signal may stop, or its consumer leave. */
const manyPlants =
  (retry: "safe" | "idempotent"): Scenario =>
  async (world) => {
    const { plants, clientOptions, clock } = world;
    const { input, pulled } = pulling(world);
    const controller = new AbortController();
    const [abortAfterMs, leaveAfter] = [sometimes(20_000), sometimes(plants.length)];
    if (abortAfterMs !== undefined) clock.after(abortAfterMs, () => controller.abort("stop"));

    const results = new Map<Id, CreatePlantsResult>();
    const settled: Id[] = [];
    const client = new PlantStoreClient({ ...clientOptions, retry, timeoutMs: 5_000 });
    const options = { concurrency: 1 + upTo(7), maxRetries: upTo(2), maxWaitMs: 30_000, signal: controller.signal };
    const consume = async () => {
      for await (const result of createPlants(client, input, options)) {
        settled.push(result.input.id);
        results.set(result.input.id, result);
        if (results.size === leaveAfter) return "left";
      }
      return "finished";
    };
    const end = await consume().catch(() => "stopped");
    // A reader who leaves the loop loses the results of the plants in flight. Nobody else does.
    if (end !== "left") expect(settled.sort()).toEqual([...pulled].sort());
    expect(settled).toHaveLength(results.size);
    for (const { attempts } of results.values()) {
      expect(attempts.map(({ number }) => number)).toEqual(attempts.map((_, index) => index + 1));
    }
    const idsOf = (isListed: (id: Id, result: CreatePlantsResult | undefined) => boolean) =>
      plants.map(({ id }) => id).filter((id) => isListed(id, results.get(id)));
    const isUnknown = (id: Id, result?: CreatePlantsResult) => (result ? result.outcome === "unknown" : pulled.has(id));
    return {
      created: idsOf((_, result) => result?.ok === true),
      unknown: idsOf(isUnknown),
      failed: idsOf((id, result) => result?.ok !== true && !isUnknown(id, result)),
    };
  };

test("each result of createPlants is true of what the service did", { timeout: timeoutMs }, async () => {
  await simulateRuns(manyPlants("safe"));
});

test("so it is if a service that refuses duplicates gets plants again", { timeout: timeoutMs }, async () => {
  await simulateRuns(manyPlants("idempotent"), { mock: { duplicateIds: "reject" } });
});

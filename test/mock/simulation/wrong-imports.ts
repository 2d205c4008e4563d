import { type CreatePlantResult, createPlants, type NewPlant } from "plant-store-client";
import type { Scenario, SimulatedWorld, SimulateOptions } from "plant-store-client/mock";
import { clientOf, newReport, oneByOne, sleep, type Verdict, verdictOf } from "./imports.ts";

/** One request without the client: the status of the response, or undefined if there is none. */
async function post({ clientOptions }: SimulatedWorld, plant: NewPlant) {
  const { baseUrl, token, fetch = globalThis.fetch } = clientOptions;
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const init = { method: "POST", headers, body: JSON.stringify(plant), redirect: "manual" as const };
  return fetch(`${baseUrl}/plants`, { ...init, signal: AbortSignal.timeout(10_000) });
}

const statusOf = (result: CreatePlantResult) =>
  !result.ok && "status" in result.error ? result.error.status : undefined;

const POSTED: Record<string, Verdict> = { 2: "created", 4: "failed" };
const verdictOfStatus = (status: number) => POSTED[Math.floor(status / 100)] ?? "unknown";

/** What an import wrote to its own database, which outlives a kill: one for each mock, which is new in each run. */
const databases = new WeakMap<object, Set<NewPlant["id"]>>();
function databaseOf({ store }: SimulatedWorld): Set<NewPlant["id"]> {
  const database = databases.get(store) ?? new Set();
  databases.set(store, database);
  return database;
}

/** Each is wrong in one way that has been seen in imports; with the options that show it. */
export const wrongImports: Record<string, Scenario | readonly [Scenario, SimulateOptions]> = {
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

  "counts the refusal of a duplicate after a lost response as a failure": [
    oneByOne(async (plant, client) => {
      let result = await client.tryCreatePlant(plant);
      if (result.outcome === "unknown") result = await client.tryCreatePlant(plant);
      return verdictOf(result);
    }),
    // A service that refuses duplicates, where sending again is harmless.
    { mock: { duplicateIds: "reject" } },
  ],

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

  "takes a 502 for proof that the gateway reached nobody": oneByOne(async (plant, client) => {
    let result = await client.tryCreatePlant(plant);
    for (let tries = 0; tries < 3 && statusOf(result) === 502; tries++) {
      result = await client.tryCreatePlant(plant);
    }
    return verdictOf(result);
  }),

  "takes any Retry-After for a refusal, that of a gateway too": async (world) => {
    const report = newReport();
    for (const plant of world.plants) {
      let response = await post(world, plant).catch(() => undefined);
      for (let tries = 0; tries < 3 && response?.headers.has("retry-after"); tries++) {
        await sleep(Number(response.headers.get("retry-after")) * 1_000);
        response = await post(world, plant).catch(() => undefined);
      }
      report[response ? verdictOfStatus(response.status) : "unknown"].push(plant.id);
    }
    return report;
  },

  "takes a redirect for success": async (world) => {
    const report = newReport();
    for (const plant of world.plants) {
      const response = await post(world, plant).catch(() => undefined);
      const verdict = response ? (response.status < 400 ? "created" : verdictOfStatus(response.status)) : "unknown";
      report[verdict].push(plant.id);
    }
    return report;
  },

  "takes every response with 2xx for a plant, a 408 for a refusal": async (world) => {
    const report = newReport();
    for (const plant of world.plants) {
      const response = await post(world, plant).catch(() => undefined);
      report[response ? verdictOfStatus(response.status) : "unknown"].push(plant.id);
    }
    return report;
  },

  "drops the plant whose token has expired": oneByOne(async (plant, client) => {
    const result = await client.tryCreatePlant(plant);
    return statusOf(result) === 401 ? undefined : verdictOf(result);
  }),

  "loses what was under way when it was killed": [
    async (world) => {
      const report = newReport();
      const started = databaseOf(world);
      for (const plant of world.plants) {
        // Written before the plant is sent: after a kill it is taken for done.
        if (started.has(plant.id)) {
          report.created.push(plant.id);
          continue;
        }
        started.add(plant.id);
        report[verdictOf(await clientOf(world).tryCreatePlant(plant))].push(plant.id);
      }
      return report;
    },
    // Only a request that a kill stopped on its way shows it.
    { crashes: true, faults: [], mock: { rateLimit: undefined } },
  ],

  "sends again what was under way when it was killed": [
    async (world) => {
      const report = newReport();
      const done = databaseOf(world);
      for (const plant of world.plants) {
        const verdict = done.has(plant.id) ? "created" : verdictOf(await clientOf(world).tryCreatePlant(plant));
        if (verdict === "created") done.add(plant.id);
        report[verdict].push(plant.id);
      }
      return report;
    },
    { crashes: true },
  ],

  "does not await its journal": [
    async (world) => {
      const report = newReport();
      for (const plant of world.plants) {
        const claim = world.journal.claim(plant);
        const sent = clientOf(world).tryCreatePlant(plant);
        const state = await claim;
        if (state && state !== "changed") report[state].push(plant.id);
        if (state) continue;
        const result = await sent;
        void world.journal.record(plant, result.ok ? "created" : result.outcome);
        report[verdictOf(result)].push(plant.id);
      }
      return report;
    },
    { crashes: true },
  ],

  "creates a plant again when it is delivered again": [
    async (world) => {
      const verdicts = new Map<NewPlant["id"], Verdict>();
      for (const plant of world.plants) {
        verdicts.set(plant.id, verdictOf(await clientOf(world).tryCreatePlant(plant)));
      }
      const report = newReport();
      for (const [id, verdict] of verdicts) report[verdict].push(id);
      return report;
    },
    { redeliveries: true },
  ],
};

import { createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import { faults, type Scenario, type SimulateOptions, SimulationError, simulate } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { FAULT_TYPES, FaultPlan } from "../../../mock/simulation/fault-plan.ts";
import { rightImports, wrongImports } from "./imports.ts";

const REFUSES = "counts the refusal of a duplicate after a lost response as a failure";
const optionsOf = (name: string): SimulateOptions => (name === REFUSES ? { mock: { duplicateIds: "reject" } } : {});

async function failureOf(running: Promise<unknown>): Promise<SimulationError> {
  const error = await running.then(
    (summary) => new Error(`nothing was found: ${JSON.stringify(summary)}`),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SimulationError);
  return error;
}

test.each(Object.entries(rightImports))("nothing is found in an import that creates %s", async (_, scenario) => {
  const summary = await simulate(scenario, { runs: 100, permanent: true });
  expect(summary.runs).toBe(100);
  expect(summary.requests).toBeGreaterThan(100);
  expect(summary.faults).toBeGreaterThan(50);
});

test.each(Object.entries(wrongImports))("an import is found that %s", async (name, scenario) => {
  const { seed, faults } = await failureOf(simulate(scenario, optionsOf(name)));
  expect(faults.length).toBeLessThanOrEqual(4);
  for (let repetition = 0; repetition < 3; repetition++) {
    const again = await failureOf(simulate(scenario, { ...optionsOf(name), seed, runs: 1 }));
    expect(again.faults).toEqual(faults);
  }
});

test("a client that takes a failure without proof for unsent is found", async () => {
  const scenario: Parameters<typeof simulate>[0] = async ({ plants, clientOptions }) => {
    const created: (number | bigint)[] = [];
    const failed: (number | bigint)[] = [];
    const unknown: (number | bigint)[] = [];
    for (const plant of plants) {
      const result = await new PlantStoreClient(clientOptions).tryCreatePlant(plant);
      const outcome = !result.ok && result.error.kind === "connection" ? "not-sent" : result.outcome;
      (result.ok ? created : outcome === "unknown" ? unknown : failed).push(plant.id);
    }
    return { created, failed, unknown };
  };
  expect((await failureOf(simulate(scenario))).problem).toMatch(/reported failed, and is stored/);
});

/** Creates the first plant, and returns any report. */
const reporting =
  (report: unknown): Scenario =>
  async ({ plants: [plant], clientOptions }) => {
    await new PlantStoreClient(clientOptions).tryCreatePlant(plant as NewPlant);
    return report as object;
  };

describe("the error of a run", () => {
  test("says what is needed for it, how to repeat it, and the requests", async () => {
    const scenario = wrongImports["counts every error as a failure"] as (typeof wrongImports)[string];
    const { message, seed, replay } = await failureOf(simulate(scenario, { faults: ["lostResponse"] }));
    expect(message.split("\n")).toEqual([
      expect.stringMatching(/^plant \d was reported failed, and is stored \(seed \d+\)$/),
      "What is needed for it:",
      expect.stringMatching(/^ {2}lostResponse for request 1 of plant \d$/),
      "To repeat it, with your other options:",
      `  simulate(scenario, { replay: ${JSON.stringify(replay)} })`,
      "The requests:",
      ...Array.from({ length: 6 }, () =>
        expect.stringMatching(/^ {2}\d\d:\d\d:\d\d\.\d{3} {2}POST {2}\/plants {2}id \d/),
      ),
    ]);
    expect(replay).toEqual({ seed, mock: {}, faults: [expect.anything()], crashes: [], redelivered: [] });
  });

  test("has a replay that fails in the same way, also for an id beyond 2^53", async () => {
    const plants = [{ id: 2n ** 60n, name: "Fern" }];
    const scenario: Scenario = async ({ clientOptions }) => {
      const { ok } = await new PlantStoreClient(clientOptions).tryCreatePlant(plants[0] as NewPlant);
      return { [ok ? "created" : "failed"]: [2n ** 60n] };
    };
    const error = await failureOf(simulate(scenario, { plants }));
    const again = await failureOf(simulate(scenario, { plants, replay: JSON.parse(JSON.stringify(error.replay)) }));
    expect(again.message).toBe(error.message);
    expect(error.faults).toEqual([{ id: "1152921504606846976", request: 1, fault: expect.anything() }]);
  });

  test("says how each request ended", async () => {
    const scenario: Parameters<typeof simulate>[0] = async ({ plants, clientOptions }) => {
      const client = new PlantStoreClient({ ...clientOptions, maxRetries: 0 });
      for (const plant of plants) await client.tryCreatePlant(plant);
      await clientOptions.fetch?.(`${clientOptions.baseUrl}/plants`, { method: "POST" });
      return { created: plants.map(({ id }) => id) };
    };
    const { message } = await failureOf(simulate(scenario, { faults: ["hang"], plants: 2 }));
    const lines = message.split("\n").slice(-3);
    const ends = lines.map((line) => line.replace(/^ {2}[\d:.]+ {2}/, ""));
    expect(ends).toEqual([
      "POST  /plants  id 1  no response  hang",
      "POST  /plants  id 2  200",
      "POST  /plants  no plant  401",
    ]);
  });

  test.each<[string, Parameters<typeof simulate>[0], RegExp]>([
    ["throws", () => Promise.reject(new Error("oops")), /^it threw Error: oops/],
    [
      "creates a plant twice",
      async ({ plants, clientOptions }) => {
        for (const plant of [...plants, ...plants]) await new PlantStoreClient(clientOptions).tryCreatePlant(plant);
        return { unknown: plants.map(({ id }) => id) };
      },
      /^plant 1 is stored twice/,
    ],
    ["sends nothing", ({ plants }) => ({ failed: plants.map(({ id }) => id) }), /^it sent no request/],
    ["reports nothing", reporting({}), /^plant 1 was reported neither as created nor failed nor unknown/],
    ["reports a plant twice", reporting({ created: [1], failed: [1] }), /^plant 1 was reported created and failed/],
    ["reports what is not stored", reporting({ created: [1, 2] }), /^plant 2 was reported created, and is not stored/],
    ["reports a plant of its own", reporting({ created: [1, 99] }), /^plant 99 was reported created, and is not one/],
    [
      "returns nothing",
      reporting(undefined),
      /^the scenario returned undefined; return \{ created, failed, unknown \}/,
    ],
    ["has another list", reporting({ craeted: [1] }), /^the report has "craeted"; return/],
    ["has a text as a list", reporting({ created: "12" }), /^created: must be a list of ids, not a string/],
    [
      "waits for ever",
      () => new Promise(() => {}),
      /^virtual time has stood still for 4 s, because it waits for something that the simulation does not see/,
    ],
    [
      "holds the time",
      ({ clock }) => {
        clock.hold("a lock");
        return new Promise((resolve) => clock.after(1, () => resolve({})));
      },
      /^virtual time has stood still for 4 s, because it waits for a lock/,
    ],
    [
      "sleeps for ever",
      async () => {
        for (;;) await new Promise((resolve) => setTimeout(resolve, 60_000));
      },
      /^it did not end within 30 hours of virtual time/,
    ],
    [
      "sends for ever",
      async ({ plants: [plant], clientOptions }) => {
        for (;;) await new PlantStoreClient(clientOptions).tryCreatePlant(plant as { id: 1; name: string });
      },
      /^it sent more than 3200 requests/,
    ],
  ])("says that the code %s", async (_, scenario, message) => {
    const mock = { duplicateIds: "accept" } as const;
    expect((await failureOf(simulate(scenario, { runs: 1, faults: ["delay"], seed: 3, mock }))).message).toMatch(
      message,
    );
  });
});

describe("the faults of a run", () => {
  /** What each of some plants meets when it is sent a hundred times: types of fault. */
  function fates(permanent: boolean) {
    return Array.from({ length: 200 }, (_, index) => {
      const plan = new FaultPlan(index % 20, { types: FAULT_TYPES, permanent });
      return Array.from({ length: 100 }, () => plan.nextFault(`${index}`)?.type);
    });
  }
  const isEndless = (types: readonly unknown[]) => !types.includes(undefined);

  test("end at some time for every plant", () => {
    expect(fates(false).filter(isEndless)).toEqual([]);
  });

  test("never end for about a fifth of the plants if they may be permanent", () => {
    const plants = fates(true);
    const endless = plants.filter(isEndless);
    expect(endless.length / plants.length).toBeGreaterThan(0.1);
    expect(endless.length / plants.length).toBeLessThan(0.3);
    expect(endless.filter((types) => new Set(types).size > 1)).toEqual([]);
  });

  test("often meet a plant again at once, and not always", () => {
    const again = fates(false).flatMap((types) =>
      types.slice(1).flatMap((type, i) => (types[i] === undefined ? [] : type === types[i])),
    );
    const share = again.filter(Boolean).length / again.length;
    expect(share).toBeGreaterThan(0.4);
    expect(share).toBeLessThan(0.7);
  });
});

test("a token provider, an input and a wrapper of fetch may wait by the timers of the run", async () => {
  const pause = () => new Promise((resolve) => setTimeout(resolve, 200));
  await simulate(
    async ({ plants, clientOptions }) => {
      async function* input() {
        for (const plant of plants) {
          await pause();
          yield plant;
        }
      }
      const token = () => pause().then(() => clientOptions.token);
      const fetch = (url: string, init: RequestInit) => pause().then(() => clientOptions.fetch?.(url, init) as never);
      const created: (number | bigint)[] = [];
      const client = new PlantStoreClient({ ...clientOptions, token, fetch });
      for await (const result of createPlants(client, input())) created.push(result.input.id);
      return { created };
    },
    { runs: 5, faults: ["rateLimited"] },
  );
});

test("a scenario may inject a fault, give up a request on its way, and send one without a plant", async () => {
  let runs = 0;
  await simulate(
    async ({ plants, clientOptions, store }) => {
      const { baseUrl, fetch } = clientOptions as { baseUrl: string; fetch: typeof globalThis.fetch };
      expect((await fetch(`${baseUrl}/plants`, { method: "POST", body: "{}" })).status).toBe(401);
      // The first run has to create the plants.
      const timeoutMs = runs++ === 0 ? 10_000 : 1;
      if (timeoutMs === 1) store.inject(faults.networkError());
      const client = new PlantStoreClient({ ...clientOptions, timeoutMs });
      for (const plant of plants) await client.tryCreatePlant(plant);
      return { unknown: plants.map(({ id }) => id), failed: undefined } as never;
    },
    { runs: 20, faults: ["delay"], plants: 2 },
  );
});

test("an error of the client ends a run, which is only checked for doubles", async () => {
  const { errors, runs } = await simulate(async ({ plants, clientOptions }) => {
    for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
    return { created: plants.map(({ id }) => id) };
  });
  expect(errors).toBeGreaterThan(100);
  expect(errors).toBeLessThan(runs);
});

test("timers, Date and Math.random are virtual in a run, and restored after it", async () => {
  const { setTimeout: timeout, clearTimeout: clear, Date: date } = globalThis;
  const { random } = Math;
  await simulate(
    async ({ plants, clientOptions, clock }) => {
      for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
      const started = Date.now();
      const canceled = setTimeout(() => expect.fail("canceled"), 500);
      clearTimeout(canceled);
      await new Promise((resolve) => setTimeout(resolve, 1_000, "value").unref());
      expect(Date.now() - started).toBe(1_000);
      expect(new Date(2026, 0, 1)).toBeInstanceOf(Date);
      expect(new Date()).toEqual(new Date(clock.date()));
      expect(
        setTimeout(() => {}, 1)
          .ref()
          .hasRef(),
      ).toBe(true);
      expect(Date.now()).toBe(clock.date());
      expect(Math.random()).toBeLessThan(1);
      return { unknown: plants.map(({ id }) => id) };
    },
    { runs: 2, faults: [] },
  );
  expect([globalThis.setTimeout, globalThis.clearTimeout, globalThis.Date, Math.random]).toEqual([
    timeout,
    clear,
    date,
    random,
  ]);
});

test("the plants, the kinds of fault and the mock may be given", async () => {
  const plants = [{ id: 2n ** 60n, name: "Aloe" }];
  const seen = new Set<string | undefined>();
  const { faults: count } = await simulate(
    async (world) => {
      expect(world.plants).toEqual(plants);
      const { tryCreatePlant } = new PlantStoreClient(world.clientOptions);
      const { ok, outcome } = await tryCreatePlant.call(new PlantStoreClient(world.clientOptions), plants[0] as never);
      for (const { fault } of world.store.requests) seen.add(fault?.type);
      const ids = [plants[0]?.id as bigint];
      return ok ? { created: ids } : outcome === "unknown" ? { unknown: ids } : { failed: ids };
    },
    { plants, faults: ["hang", "apiError"], mock: { seed: [{ id: 1, name: "Fern" }] }, runs: 50 },
  );
  expect(count).toBeGreaterThan(0);
  expect([...seen].sort()).toEqual(["apiError", "hang", undefined]);
  expect(faults.hang().type).toBe("hang");
});

test.each([
  [{ runs: 0 }, "runs: must be an integer from 1"],
  [{ seed: -1 }, "seed: must be an integer from 0"],
  [{ plants: "many" }, "plants: must be a number of plants from 1, or a list of plants"],
  [{ faults: ["hangs"] }, "faults: must be a list of apiError, reply"],
  [{ permanent: 1 }, "permanent: must be true or false"],
])("%j are refused", async (options, message) => {
  await expect(simulate(() => ({}), options as never)).rejects.toThrow(message);
});

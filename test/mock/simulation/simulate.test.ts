import { type NewPlant, PlantStoreClient } from "plant-store-client";
import {
  type Fetch,
  faults,
  type MockClientOptions,
  type Scenario,
  type SimulateOptions,
  SimulationError,
  simulate,
} from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { FAULT_TYPES, FaultPlan, typesOf } from "../../../mock/simulation/fault-plan.ts";
import { newReport, oneByOne, rightImports, verdictOf } from "./imports.ts";
import { wrongImports } from "./wrong-imports.ts";

async function failureOf(running: Promise<unknown>): Promise<SimulationError> {
  const error = await running.then(
    (summary) => new Error(`nothing was found: ${JSON.stringify(summary)}`),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(SimulationError);
  return error;
}

test.concurrent.each(Object.entries(rightImports))(
  "nothing is found in an import that creates %s",
  async (_, scenario) => {
    const summary = await simulate(scenario, { runs: 100, permanent: true });
    expect(summary.runs).toBe(100);
    expect(summary.requests).toBeGreaterThan(100);
    expect(summary.faults).toBeGreaterThan(50);
  },
);

test.concurrent.each(Object.entries(wrongImports))("an import is found that %s", async (_, wrong) => {
  const [scenario, options] = typeof wrong === "function" ? [wrong] : wrong;
  const error = await failureOf(simulate(scenario, options));
  const { faults, crashes, redelivered } = error.replay;
  expect(faults.length + crashes.length + redelivered.length).toBeGreaterThan(0);
  expect(faults.length + crashes.length + redelivered.length).toBeLessThanOrEqual(4);
  const again = await failureOf(simulate(scenario, { ...options, replay: error.replay }));
  expect(again.message).toBe(error.message);
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
    const scenario = wrongImports["counts every error as a failure"] as Scenario;
    const { message, seed, run, replay } = await failureOf(simulate(scenario, { faults: ["lostResponse"] }));
    expect(message.split("\n")).toEqual([
      expect.stringMatching(/^plant \d was reported failed, and is stored \(seed 1, run \d+\)$/),
      "What is needed for it:",
      expect.stringMatching(/^ {2}lostResponse for request 1 of plant \d$/),
      "To repeat it, with your other options:",
      `  simulate(scenario, { replay: ${JSON.stringify(replay)} })`,
      "The requests:",
      ...Array.from({ length: 6 }, () =>
        expect.stringMatching(/^ {2}\d\d:\d\d:\d\d\.\d{3} {2}POST {2}\/plants {2}id \d/),
      ),
    ]);
    expect(seed).toBe(1);
    expect(replay).toEqual({ seed, run, mock: {}, faults: [expect.anything()], crashes: [], redelivered: [] });
  });

  test.concurrent("has a replay that fails in the same way, also for an id beyond 2^53", async () => {
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

  test.concurrent("says how each request ended", async () => {
    const scenario: Parameters<typeof simulate>[0] = async ({ plants, clientOptions }) => {
      const client = new PlantStoreClient({ ...clientOptions, maxRetries: 0 });
      for (const plant of plants) await client.tryCreatePlant(plant);
      await clientOptions.fetch?.(`${clientOptions.baseUrl}/plants`, { method: "POST" });
      return { created: plants.map(({ id }) => id) };
    };
    const fault = { id: "1", request: 1, fault: faults.hang() };
    const replay = { seed: 1, run: 1, mock: {}, faults: [fault], crashes: [], redelivered: [] };
    const { message } = await failureOf(simulate(scenario, { replay, plants: 2 }));
    const lines = message.split("\n").slice(-3);
    const ends = lines.map((line) => line.replace(/^ {2}[\d:.]+ {2}/, ""));
    expect(ends).toEqual([
      "POST  /plants  id 1  no response  hang",
      "POST  /plants  id 2  200",
      "POST  /plants  no plant  401",
    ]);
  });

  test.concurrent.each<[string, Parameters<typeof simulate>[0], RegExp]>([
    ["throws", () => Promise.reject(new Error("oops")), /^it threw Error: oops/],
    [
      "creates a plant twice",
      async ({ plants, clientOptions }) => {
        for (const plant of [...plants, ...plants]) await new PlantStoreClient(clientOptions).tryCreatePlant(plant);
        return { unknown: plants.map(({ id }) => id) };
      },
      /^plant 1 is stored twice/,
    ],
    [
      "creates a plant twice, and gives up",
      async ({ plants: [plant], clientOptions }) => {
        const client = new PlantStoreClient(clientOptions);
        for (const next of [plant, plant, {}]) await client.createPlant(next as NewPlant);
        return {};
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
      "sleeps for ever",
      async () => {
        for (;;) await new Promise((resolve) => setTimeout(resolve, 60_000));
      },
      /^it did not end after 212000 timers/,
    ],
    [
      "sends for ever",
      async ({ plants: [plant], clientOptions }) => {
        for (;;) await new PlantStoreClient(clientOptions).tryCreatePlant(plant as { id: 1; name: string });
      },
      /^it did not end after 3200 requests/,
    ],
  ])("says that the code %s", async (_, scenario, message) => {
    const mock = { duplicateIds: "accept" } as const;
    expect((await failureOf(simulate(scenario, { runs: 1, faults: ["delay"], seed: 3, mock }))).message).toMatch(
      message,
    );
  });
});

describe("the faults of a run", () => {
  test.concurrent("are those that the table of faults has for simulations", () => {
    expect(typesOf({ hang: { isSimulated: true }, storedTwice: { isSimulated: false } })).toEqual(["hang"]);
    expect(FAULT_TYPES).toEqual(Object.keys(faults));
  });

  /** What each of some plants meets when it is sent a hundred times: types of fault. */
  function fates(permanent: boolean) {
    return Array.from({ length: 200 }, (_, index) => {
      const plan = new FaultPlan(index % 20, { types: FAULT_TYPES, permanent });
      return Array.from({ length: 100 }, () => plan.nextFault(`${index}`)?.type);
    });
  }
  const isEndless = (types: readonly unknown[]) => !types.includes(undefined);

  test.concurrent("come again to the same plant, nearly half of the times", () => {
    const faulty = fates(false).flatMap((types) =>
      types.flatMap((type, index) => (type ? [[type, types[index + 1]]] : [])),
    );
    const again = faulty.filter(([type, next]) => type === next);
    expect(again.length / faulty.length).toBeGreaterThan(0.4);
  });

  test.concurrent("end at some time for every plant", () => {
    expect(fates(false).filter(isEndless)).toEqual([]);
  });

  test.concurrent("never end for about a fifth of the plants if they may be permanent", () => {
    const plants = fates(true);
    const endless = plants.filter(isEndless);
    expect(endless.length / plants.length).toBeGreaterThan(0.1);
    expect(endless.length / plants.length).toBeLessThan(0.3);
  });
});

test.concurrent("a scenario may inject a fault, give up a request on its way, and send one without a plant", async () => {
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

test.concurrent("code that stops by chance creates all plants in one of ten runs without any fault", async () => {
  const creatingFrom = (first: number): Scenario => {
    let runs = 0;
    return async ({ plants, clientOptions }) => {
      const count = ++runs < first ? 1 : plants.length;
      const client = new PlantStoreClient({ ...clientOptions, timeoutMs: 60_000 });
      for (const plant of plants.slice(0, count)) await client.createPlant(plant);
      const ids = plants.map(({ id }) => id);
      return { created: ids.slice(0, count), failed: ids.slice(count) };
    };
  };
  await simulate(creatingFrom(10), { runs: 1, faults: ["delay"] });
  await expect(simulate(creatingFrom(99), { runs: 1, faults: ["delay"] })).rejects.toThrow(
    /without any fault, plant 2 /,
  );
});

test.concurrent("an error of the client ends a run, which is only checked for doubles", async () => {
  const { errors, runs } = await simulate(async ({ plants, clientOptions }) => {
    for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
    return { created: plants.map(({ id }) => id) };
  });
  expect(errors).toBeGreaterThan(100);
  expect(errors).toBeLessThan(runs);
});

test.each([
  [{ runs: 0 }, "runs: must be an integer from 1"],
  [{ mock: { duplicateIds: "once" } }, 'duplicateIds: must be "accept" or "reject"'],
  [{ seed: -1 }, "seed: must be an integer from 0"],
  [{ plants: "many" }, "plants: must be a number of plants from 1, or a list of plants"],
  [{ faults: ["hangs"] }, "faults: must be a list of apiError, unauthorized, reply"],
  [
    {
      plants: [
        { id: 1, name: "Aloe" },
        { id: 1, name: "Fern" },
      ],
    },
    "plants[1]: the id 1 is that of another plant",
  ],
  [{ permanent: 1 }, "permanent: must be true or false"],
])("%j are refused", async (options, message) => {
  await expect(simulate(() => ({}), options as never)).rejects.toThrow(message);
});

/** Creates each plant once by its own request: a string, a Request, or a Blob. */
const posting =
  (send: (url: string, init: RequestInit, fetch: Fetch) => Promise<Response>): Scenario =>
  async ({ plants, clientOptions }) => {
    const { baseUrl, token, fetch } = clientOptions as MockClientOptions & { fetch: Fetch };
    const report = newReport();
    for (const plant of plants) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const init = { method: "POST", headers, body: JSON.stringify(plant, null, 2) };
      const isCreated = await send(`${baseUrl}/plants`, init, fetch).then(
        ({ ok }) => ok,
        () => false,
      );
      report[isCreated ? "created" : "failed"].push(plant.id);
    }
    return report;
  };

test.each<[string, Parameters<typeof posting>[0]]>([
  ["an indented text", (url, init, fetch) => fetch(url, init)],
  ["a Request", (url, init, fetch) => fetch(new Request(url, init))],
  ["a Blob", (url, init, fetch) => fetch(url, { ...init, body: new Blob([init.body as string]) })],
])("a fault meets a plant whose body is %s", async (_, send) => {
  const { faults } = await failureOf(simulate(posting(send), { faults: ["lostResponse"] }));
  expect(faults).toEqual([{ id: expect.stringMatching(/^[1-6]$/), request: 1, fault: { type: "lostResponse" } }]);
});

test.concurrent("a fault meets the request for which it was drawn, even if others are refused before it", async () => {
  const scenario: Scenario = async ({ plants, clientOptions }) => {
    const client = new PlantStoreClient({ ...clientOptions, maxRetries: 0 });
    const report = newReport();
    await Promise.all(
      plants.map(async (plant) => report[verdictOf(await client.tryCreatePlant(plant))].push(plant.id)),
    );
    throw new Error(`unknown: ${report.unknown}`);
  };
  const fault = { id: "3", request: 1, fault: faults.lostResponse() };
  const replay = {
    seed: 1,
    run: 1,
    mock: { rateLimit: { perSecond: 1, burst: 3 } },
    faults: [fault],
    crashes: [],
    redelivered: [],
  };
  const { message, requests } = await failureOf(simulate(scenario, { replay }));
  const lost = requests.filter((request) => request.fault);
  expect(requests.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  expect(lost.map(({ plant }) => plant?.id)).toEqual(message.includes("unknown: 3") ? [3] : []);
});

test.concurrent("a request that is under way when the scenario returns arrives before its report is compared", async () => {
  const scenario: Scenario = async ({ plants, clientOptions, store }) => {
    const client = new PlantStoreClient(clientOptions);
    const [first, ...others] = plants as [NewPlant, ...NewPlant[]];
    for (const plant of others) await client.tryCreatePlant(plant);
    void client.tryCreatePlant(first);
    expect(store.plants.has(first.id)).toBe(false);
    return { created: others.map(({ id }) => id), failed: [first.id] };
  };
  expect((await failureOf(simulate(scenario, { faults: [] }))).problem).toBe(
    "plant 1 was reported failed, and is stored",
  );
});

test.concurrent("each run has its own plants, and is compared with those of the caller", async () => {
  const plants = [
    { id: 1, name: "Aloe" },
    { id: 2, name: "Fern" },
  ];
  const scenario: Scenario = async (world) => {
    const { created } = await (rightImports["one plant after the other"] as Scenario)(world);
    (world.plants as NewPlant[]).splice(0);
    return { created: [...(created ?? [])].slice(0, 1) };
  };
  const { problem } = await failureOf(simulate(scenario, { plants, faults: [] }));
  expect(problem).toBe("plant 2 was reported neither as created nor failed nor unknown");
  expect(plants).toHaveLength(2);
});

test.concurrent("a scenario that creates nothing without faults has failed, and says why if it has thrown", async () => {
  const silent: Scenario = async ({ plants, clientOptions }) => {
    await new PlantStoreClient(clientOptions).createPlant(plants[0] as NewPlant);
    return { created: [1], unknown: [2] };
  };
  const error = await failureOf(simulate(silent, { plants: 2 }));
  expect(error.problem).toMatch(
    /^without any fault, plant 2 was not created; crypto, zlib, workers and native addons are not seen/,
  );
  const again = await failureOf(simulate(silent, { plants: 2, replay: error.replay }));
  expect(again.message).toBe(error.message);
  const right = rightImports["one plant after the other"] as Scenario;
  expect(await simulate(right, { plants: 2, replay: error.replay })).toMatchObject({ created: 2 });
  const throwing: Scenario = ({ clientOptions }) =>
    new PlantStoreClient(clientOptions).createPlant({ id: 1.5, name: "Aloe" }).then(() => ({}));
  const thrown = await failureOf(simulate(throwing));
  expect(thrown.problem).toMatch(
    /^without any fault, plant 1 was not created; the scenario threw PlantStoreInputError: /,
  );
  expect(thrown.cause).toMatchObject({ kind: "input" });
});

test.concurrent("a plant that the mock refuses need not be created without faults", async () => {
  const initialPlants = [{ id: 1, name: "Aloe" }];
  const scenario = rightImports["one plant after the other"] as Scenario;
  const { failed } = await simulate(scenario, {
    plants: initialPlants,
    mock: { initialPlants, duplicateIds: "reject" },
    runs: 5,
    faults: [],
  });
  expect(failed).toBe(5);
});

test.concurrent.each<[string, SimulateOptions["mock"], Scenario, string]>([
  [
    "is too small for every body",
    { maxBodyBytes: 20 },
    rightImports["one plant after the other"] as Scenario,
    "413: body: must be at most 20 bytes; see the option maxBodyBytes or replies.tooLarge",
  ],
  [
    "has a response of the test for each plant",
    { maxBodyBytes: 20, replies: { tooLarge: { status: 422 } } },
    rightImports["all at once, by createPlants"] as Scenario,
    "422: a response of your own",
  ],
  [
    "does not accept another token",
    { auth: { tokens: [] } },
    oneByOne(async (plant, client) => verdictOf(await client.tryCreatePlant(plant)), { token: "mine" }),
    "401: Authorization: the bearer token is not valid; auth.tokens is [], so open a session, and send its token; " +
      "see the option replies.invalidToken",
  ],
])("a simulation fails whose mock %s, and says how", async (_, mock, scenario, refusal) => {
  const { problem } = await failureOf(simulate(scenario, { mock, runs: 1 }));
  expect(problem).toBe(`without any fault, no plant was created; the mock refused them with ${refusal}`);
});

test.concurrent.each([{ tokens: [] }, { tokens: (token: string) => token === "x" }])(
  "the token of the client options is valid, whatever auth says: %j",
  async (auth) => {
    const scenario = rightImports["one plant after the other"] as Scenario;
    expect(await simulate(scenario, { mock: { auth }, runs: 1, faults: [] })).toMatchObject({ created: 6 });
  },
);

test.concurrent("a simulation in which every run with a fault ends with a PlantStoreError has compared nothing", async () => {
  const scenario: Scenario = async ({ plants, clientOptions }) => {
    for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
    return { created: plants.map(({ id }) => id) };
  };
  const error = await failureOf(simulate(scenario, { faults: ["networkError"] }));
  expect(error.problem).toBe(
    "every run with a fault ended with a PlantStoreError, so nothing was compared: catch it, and report",
  );
  expect(error.cause).toMatchObject({ kind: "connection" });
  expect((await failureOf(simulate(scenario, { replay: error.replay }))).message).toBe(error.message);
});

describe("a scenario that is killed", () => {
  const crashing = { crashes: true, runs: 50, faults: [] } as const;

  test.concurrent("is started again with the same plants, and its journal", async () => {
    const restarted: number[] = [];
    const scenario: Scenario = async ({ plants, clientOptions, journal, restarts }) => {
      restarted.push(restarts);
      const report = newReport();
      expect(plants.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
      for (const plant of plants) {
        const state = await journal.claim(plant);
        if (state && state !== "changed") report[state].push(plant.id);
        else {
          const result = await new PlantStoreClient(clientOptions).tryCreatePlant(plant);
          await journal.record(plant, result.ok ? "created" : result.outcome);
          if (!result.ok) report[verdictOf(result)].push(plant.id);
        }
      }
      return report;
    };
    const { created, unknown } = await simulate(scenario, crashing);
    expect(created + unknown).toBe(6 * 50);
    expect(unknown).toBeGreaterThan(0);
    expect(Math.max(...restarted)).toBe(3);
  });

  test.concurrent("does nothing any more", async () => {
    const calls: string[] = [];
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const scenario: Scenario = async (world) => {
      const { plants, clientOptions, clock, journal, restarts } = world;
      const { fetch, baseUrl } = clientOptions as MockClientOptions & { fetch: Fetch };
      if (restarts === 0) {
        // As after real work, which no kill ends.
        void released.then(() => {
          const settled = (name: string) => () => calls.push(name);
          const attempts: [string, Promise<unknown>][] = [
            ["fetch", fetch(`${baseUrl}/plants`, { method: "POST" })],
            ["sleep", clock.sleep(1)],
            ["advance", clock.advance(1)],
            ["claim", journal.claim(plants[0] as NewPlant)],
          ];
          for (const [name, attempt] of attempts) attempt.then(settled(name), settled(name));
          clock.after(0, settled("after"));
          clock.hold("nothing")();
          setTimeout(settled("setTimeout"), 0);
          calls.push("released");
        });
        clock.after(10, () => calls.push("the timer at which it is killed"));
        await new Promise(() => {});
      }
      release();
      const report = await (rightImports["one plant after the other"] as Scenario)(world);
      expect(world.store.requests.count).toBe(plants.length);
      return report;
    };
    const replay = { seed: 1, run: 1, mock: {}, faults: [], crashes: [1], redelivered: [] };
    await simulate(scenario, { replay });
    expect(calls).toEqual(["released"]);
  });

  test.concurrent("is not believed if its journal has a plant as created that is not stored", async () => {
    const scenario: Scenario = async ({ plants: [plant, other], clientOptions, journal }) => {
      await new PlantStoreClient(clientOptions).createPlant(plant as NewPlant);
      await journal.claim(other as NewPlant);
      await journal.record(other as NewPlant, "created");
      return { created: [1], unknown: [2] };
    };
    const { problem } = await failureOf(simulate(scenario, { plants: 2 }));
    expect(problem).toBe("plant 2 is created by the journal, and is not stored");
  });

  test.concurrent("leaves a request on its way, which arrives or does not", async () => {
    const arrived = new Set<boolean>();
    const scenario: Scenario = async ({ plants: [plant], clientOptions, store, restarts }) => {
      const { id } = plant as NewPlant;
      if (restarts > 0) arrived.add(store.plants.has(id));
      else await new PlantStoreClient(clientOptions).tryCreatePlant(plant as NewPlant);
      return { unknown: [id] };
    };
    for (let seed = 1; seed <= 20; seed++) {
      const replay = { seed, run: 1, mock: {}, faults: [], crashes: [1], redelivered: [] };
      await simulate(scenario, { plants: 1, replay });
    }
    expect(arrived).toEqual(new Set([true, false]));
  });

  test.concurrent("has a journal that knows plants by their ids, needs a claim before a record, and in which created is final", async () => {
    const scenario: Scenario = async (world) => {
      const { journal, plants } = world;
      const [first, second] = plants as [NewPlant, NewPlant];
      await expect(journal.record(first, "created")).rejects.toThrow("journal.record: plant 1 was not claimed");
      expect(await journal.claim(first)).toBeUndefined();
      await journal.record(first, "created");
      await journal.record(first, "rejected");
      expect(await journal.claim(first)).toBe("created");
      expect(await journal.claim({ ...first, tag: "other" })).toBe("changed");
      for (let tries = 0; tries < 2; tries++) {
        expect(await journal.claim(second)).toBeUndefined();
        await journal.record(second, "rejected");
      }
      return (rightImports["one plant after the other"] as Scenario)(world);
    };
    await simulate(scenario, { runs: 1, faults: [] });
  });
});

test.concurrent("a plant that is delivered twice may be reported once, or again as unknown, but in no other way", async () => {
  const delivered =
    (second: "created" | "failed" | "unknown"): Scenario =>
    async ({ plants, clientOptions }) => {
      const report = newReport();
      const seen = new Set<NewPlant["id"]>();
      for (const plant of plants) {
        if (seen.has(plant.id)) report[second].push(plant.id);
        else report[verdictOf(await new PlantStoreClient(clientOptions).tryCreatePlant(plant))].push(plant.id);
        seen.add(plant.id);
      }
      return report;
    };
  for (const second of ["created", "unknown"] as const) {
    await simulate(delivered(second), { redeliveries: true, faults: [], runs: 20 });
  }
  const error = await failureOf(simulate(delivered("failed"), { redeliveries: true, faults: [], runs: 20 }));
  expect(error.message).toMatch(
    /^plant \d was reported created and failed \(seed 1, run \d+\)\nWhat is needed for it:\n {2}plant \d delivered/,
  );
});

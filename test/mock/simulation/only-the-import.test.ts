import { AsyncLocalStorage } from "node:async_hooks";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs";
import { performance as nodePerformance } from "node:perf_hooks";
import { setInterval as interval, scheduler, setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type NewPlant, PlantStoreClient } from "plant-store-client";
import {
  type MockClientOptions,
  type Scenario,
  type SimulatedWorld,
  type SimulateOptions,
  type SimulationError,
  type SimulationReplay,
  simulate,
} from "plant-store-client/mock";
import { Agent, request } from "undici";
import { afterEach, describe, expect, test, vi } from "vitest";
import { listen } from "../../listen.ts";
import { newReport, oneByOne, verdictOf } from "./imports.ts";

const create = oneByOne(async (plant, client) => verdictOf(await client.tryCreatePlant(plant)));

/** One run without any fault. */
const FAULTLESS: SimulationReplay = { seed: 1, run: 0, mock: {}, faults: [], crashes: [], redelivered: [] };

/** Blocks the event loop. */
const block = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** An import that also does something else. */
const alsoDoing =
  (act: (world: SimulatedWorld) => unknown): Scenario =>
  async (world) => {
    await act(world);
    return create(world);
  };

const failureOf = (scenario: Scenario, options: SimulateOptions = {}): Promise<SimulationError> =>
  simulate(scenario, options).then(
    () => expect.fail("it passed"),
    (error) => error,
  );

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("other code", () => {
  test("has real time from the first to the last moment of a simulation", async () => {
    const seen: unknown[] = [];
    const before = [setTimeout, Date, performance.now, process.exit, process.emit];
    const { timeOrigin } = performance;
    let isOver = false;
    const simulation = simulate(
      alsoDoing(() => sleep(60_000)),
      { runs: 20 },
    ).then(() => {
      isOver = true;
    });
    const start = nodePerformance.now();
    while (!isOver) {
      await sleep(5);
      seen.push(performance.timeOrigin === timeOrigin);
      seen.push(new Date() > new Date(Date.UTC(2026, 10)), setTimeout(() => {}).constructor.name);
    }
    await simulation;
    expect(new Set(seen)).toEqual(new Set([true, "Timeout"]));
    expect(nodePerformance.now()).toBeGreaterThan(start);
    expect([setTimeout, Date, performance.now, process.exit, process.emit]).toEqual(before);
  });

  test("finds the timeouts of undici alive after a run in which it was first used", async () => {
    await using server = await listen((request, response) => void (request.url === "/list" && response.end("[]")));
    const dispatcher = new Agent({ headersTimeout: 1_000 });
    await simulate(
      alsoDoing(async () => (await request(`${server.url}/list`, { dispatcher })).body.text()),
      { runs: 1 },
    );
    await expect(request(`${server.url}/never`, { dispatcher })).rejects.toThrow("Headers Timeout Error");
    await dispatcher.destroy();
  });

  test("keeps an interval of a run, and a timer that is unref'd, or that is refreshed after it", async () => {
    const fired: string[] = [];
    let isOver = false;
    const note = (name: string) => () => void (isOver && fired.push(name));
    let kept: NodeJS.Timeout | undefined;
    let interval: NodeJS.Timeout | undefined;
    await simulate(
      async (world) => {
        const report = await create(world);
        // As a module keeps it that is loaded in a run.
        const { setTimeout: ofModule } = globalThis;
        interval ??= setInterval(note("interval"), 1);
        setTimeout(note("unref'd"), 10).unref();
        kept = setTimeout(async () => {
          note("refreshed")();
          if (!isOver) return;
          ofModule(note("unref'd later"), 1).unref();
          throw new Error("of no interest after the run");
        }, 2);
        return report;
      },
      { runs: 1, faults: [], plants: 1 },
    );
    isOver = true;
    kept?.refresh();
    await vi.waitUntil(() =>
      ["interval", "refreshed", "unref'd", "unref'd later"].every((name) => fired.includes(name)),
    );
    clearInterval(interval);
  });

  test("finds every global restored if one of them cannot be replaced", async () => {
    const { setTimeout: before } = globalThis;
    const { defineProperty } = Object;
    vi.spyOn(Object, "defineProperty").mockImplementation((target, name, descriptor) => {
      if (name === "random") throw new TypeError("Cannot redefine property: random");
      return defineProperty(target, name, descriptor);
    });
    await expect(simulate(create)).rejects.toThrow(
      "a global of time cannot be replaced: Cannot redefine property: random",
    );
    expect(globalThis.setTimeout).toBe(before);
  });

  test("keeps what a test has replaced during a simulation", async () => {
    const { random } = Math;
    const own = () => 0.5;
    const scenario = alsoDoing(() => {
      Math.random = own;
    });
    await simulate(scenario, { runs: 1 });
    expect(Math.random).toBe(own);
    Math.random = random;
  });

  test("ends a simulation by a signal", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const scenario = alsoDoing(async () => {
      controller.abort(new Error("the test has timed out"));
      await new Promise(() => {});
    });
    await expect(simulate(scenario, { signal })).rejects.toThrow("the test has timed out");
    await expect(simulate(create, { signal })).rejects.toThrow("the test has timed out");
  });
});

describe("a right import passes that", () => {
  const port = async () => {
    const { port1, port2 } = new MessageChannel();
    port2.postMessage("now");
    await once(port1, "message");
    port1.close();
  };
  test.concurrent.each([
    ["immediates", () => turn()],
    ["scheduler.yield", () => scheduler.yield()],
    ["ports", port],
  ])("waits by %s until something has happened", async (_, wait) => {
    const scenario: Scenario = async ({ plants, clientOptions }) => {
      const client = new PlantStoreClient(clientOptions);
      const report = newReport();
      let open = 0;
      const send = async (plant: NewPlant) => {
        while (open > 1) await wait();
        open++;
        report[verdictOf(await client.tryCreatePlant(plant))].push(plant.id);
        open--;
      };
      await Promise.all(plants.map(send));
      return report;
    };
    expect((await simulate(scenario, { runs: 10 })).runs).toBe(10);
  });

  test.concurrent("waits by reading the time a million times in one turn", async () => {
    const scenario = alsoDoing(() => {
      for (const end = Date.now() + 1_000; Date.now() < end; );
    });
    expect((await simulate(scenario, { runs: 1 })).runs).toBe(1);
  });

  test.each<[string, number]>([
    ["ten minutes", 600_000],
    ["half a second", 500],
  ])("compresses and signs under a deadline of %s, beside an interval", async (_, ms) => {
    const { subtle } = crypto;
    const scenario = alsoDoing(async () => {
      const signal = AbortSignal.timeout(ms);
      const spinner = setInterval(() => {}, 80);
      await promisify(gzip)(Buffer.alloc(200_000));
      await subtle.digest("SHA-256", new Uint8Array(2_000_000));
      clearInterval(spinner);
      signal.throwIfAborted();
    });
    expect((await simulate(scenario, { runs: 5 })).runs).toBe(5);
  });

  test("reads from a real server under a deadline while the process is blocked again and again", async () => {
    await using server = await listen((_, response) => {
      let blocks = 0;
      const respond = () => {
        block(1_100);
        if (++blocks === 3) response.end("Aloe");
        else setImmediate(respond);
      };
      respond();
    });
    const scenario = alsoDoing(async () => {
      const response = await fetch(server.url, { signal: AbortSignal.timeout(900) });
      expect(await response.text()).toBe("Aloe");
    });
    expect((await simulate(scenario, { replay: FAULTLESS })).runs).toBe(1);
  });

  test.each([
    ["fetch", (url: string) => fetch(url).then((response) => response.text())],
    ["undici", (url: string) => request(url).then(({ body }) => body.text())],
  ])("uses a connection of %s that an earlier run has opened", async (_, get) => {
    const connections = new Set<unknown>();
    await using server = await listen((incoming, response) => {
      connections.add(incoming.socket.remotePort);
      response.end("Aloe");
    });
    const scenario = alsoDoing(() => get(server.url));
    await simulate(scenario, { runs: 5 });
    expect(connections.size).toBe(1);
  });

  test("was overtaken in its first run, when a module was loaded", async () => {
    let isLoaded = false;
    const scenario = alsoDoing(async () => {
      if (isLoaded) return;
      isLoaded = true;
      await sleep(500);
      throw new Error("the deadline has passed");
    });
    expect((await simulate(scenario, { runs: 1 })).runs).toBe(1);
  });

  test.each([1, 2])(
    "was overtaken %s times while it did real work that nothing shows, and not later",
    async (times) => {
      const { setTimeout: realTimeout } = globalThis;
      let [calls, overtaken] = [0, 0];
      const scenario = alsoDoing(async () => {
        // Far jumps in which nothing happens: the next ones wait for less and less time.
        if (++calls === 1) for (let sleeps = 0; sleeps < 30; sleeps++) await sleep(60_000);
        const signal = AbortSignal.timeout(600_000);
        if (calls > 1) await new Promise<void>((resolve) => realTimeout(resolve, 40));
        if (signal.aborted || (overtaken > 0 && overtaken < times)) throw new Error(`overtaken ${++overtaken} times`);
      });
      expect((await simulate(scenario, { runs: 1 })).runs).toBe(1);
      expect(overtaken).toBe(times);
    },
  );
});

/** An import that leaves something behind when it returns. */
const leaving =
  (leave: (world: SimulatedWorld) => unknown): Scenario =>
  async (world) => {
    const report = await create(world);
    leave(world);
    return report;
  };

const again = (set: (next: () => void) => unknown) => () => {
  const next = () => void set(next);
  next();
};
const tooLate = () => raise(new Error("too late"));

test.concurrent.each<[string, (world: SimulatedWorld) => unknown]>([
  ["beats for ever", again((next) => setTimeout(next, 1_000))],
  ["loops by immediates", again((next) => setImmediate(next))],
  ["has an interval", () => setInterval(() => {}, 1_000).ref()],
  ["keeps a cache for two days", () => setTimeout(tooLate, 2 * 86_400_000)],
  ["has a timer that is unref'd", () => setTimeout(tooLate, 60_000).unref()],
  ["has a deadline", () => AbortSignal.timeout(60_000).addEventListener("abort", tooLate)],
  ["holds the time", ({ clock }) => setTimeout(tooLate, 60_000, clock.hold("a lock"))],
  [
    "calls the service for ever",
    ({ plants: [plant], clientOptions }) => {
      const { baseUrl, fetch } = clientOptions as MockClientOptions & { fetch: typeof globalThis.fetch };
      again((next) => void fetch(`${baseUrl}/plants`, { method: "POST", body: `${plant?.id}` }).finally(next))();
    },
  ],
])("a right import passes that %s when it has returned", async (_, leave) => {
  expect((await simulate(leaving(leave), { runs: 1, faults: [] })).created).toBe(6);
});

test("a right import passes that creates its plants after it has returned them as unknown", async () => {
  const scenario: Scenario = ({ plants, clientOptions }) => {
    const client = new PlantStoreClient(clientOptions);
    for (const plant of plants) void client.tryCreatePlant(plant);
    return { unknown: plants.map(({ id }) => id) };
  };
  expect((await simulate(scenario, { runs: 1 })).unknown).toBe(6);
});

test.concurrent.each<[string, (world: SimulatedWorld) => unknown, string]>([
  ["a timer that throws", () => setTimeout(tooLate, 3_600_000), "it threw Error: too late"],
  ["an immediate that throws", () => setImmediate(tooLate), "it threw Error: too late"],
  ["a rejection", () => sleep(5_000).then(tooLate), "it left a rejection unhandled: Error: too late"],
  ["a chain of timers", () => setTimeout(() => setTimeout(tooLate, 9), 9), "it threw Error: too late"],
  [
    "a plant to send again",
    ({ plants: [plant], clientOptions }) => {
      setTimeout(() => void new PlantStoreClient(clientOptions).tryCreatePlant(plant as NewPlant), 1_000);
    },
    "plant 1 is stored twice",
  ],
  [
    "a child process, after which it sends a plant again,",
    ({ plants: [plant], clientOptions }) => {
      const client = new PlantStoreClient(clientOptions);
      execFile(process.execPath, ["--version"], () => void client.tryCreatePlant(plant as NewPlant));
    },
    "plant 1 is stored twice",
  ],
])("a run fails that leaves %s behind", async (_, leave, problem) => {
  expect((await failureOf(leaving(leave))).problem).toContain(problem);
});

test("a scenario whose async context zone.js has lost is refused", async () => {
  class Zone {
    static current = new Zone({});
    constructor(readonly properties: Record<string, unknown>) {}
    get(key: string): unknown {
      return this.properties[key];
    }
    fork({ properties }: { properties: Record<string, unknown> }): Zone {
      return new Zone(properties);
    }
    run<Result>(start: () => Result): Result {
      const before = Zone.current;
      Zone.current = this;
      try {
        return start();
      } finally {
        Zone.current = before;
      }
    }
    wrap(callback: () => void): () => void {
      return () => this.run(callback);
    }
  }
  vi.stubGlobal("Zone", Zone);
  const withoutContext = AsyncLocalStorage.snapshot();
  expect((await simulate(create, { runs: 1 })).runs).toBe(1);
  const losing: Scenario = (world) => {
    setTimeout(() => withoutContext(() => Date.now()), 1);
    return create(world);
  };
  expect((await failureOf(losing)).problem).toMatch(/^zone\.js has promises that lose the async context of this/);
});

test.concurrent("the clocks of a run agree, and do not begin at 0", async () => {
  await simulate(
    alsoDoing(async () => {
      await sleep(5_000);
      expect(performance.timeOrigin + performance.now()).toBe(Date.now());
      expect(performance.now()).toBe(6_000);
      const { Temporal } = globalThis as { Temporal?: { Now: { instant(): { epochMilliseconds: number } } } };
      if (Temporal) expect(Temporal.Now.instant().epochMilliseconds).toBe(Date.now());
    }),
    { runs: 1, faults: [] },
  );
});

test("Temporal.Now has the date of the clock", async () => {
  const zoned = (ms: number, zone: unknown) => ({
    ...{ ms, zone },
    toPlainDateTime: () => ["date and time", ms, zone],
    toPlainDate: () => ["date", ms, zone],
    toPlainTime: () => ["time", ms, zone],
  });
  const real = () => expect.fail("the time of the runtime");
  vi.stubGlobal("Temporal", {
    Now: {
      ...{ instant: real, zonedDateTimeISO: real, plainDateTimeISO: real, plainDateISO: real, plainTimeISO: real },
      timeZoneId: () => "own",
    },
    Instant: {
      fromEpochMilliseconds: (ms: number) => ({ ms, toZonedDateTimeISO: (zone: unknown) => zoned(ms, zone) }),
    },
  });
  const { Now } = (globalThis as never as { Temporal: { Now: Record<string, (zone?: string) => object> } }).Temporal;
  const scenario = alsoDoing(({ clock }) => {
    const ms = clock.date();
    expect(Now.instant?.()).toMatchObject({ ms });
    expect(Now.zonedDateTimeISO?.("UTC")).toMatchObject({ ms, zone: "UTC" });
    expect(Now.plainDateTimeISO?.()).toEqual(["date and time", ms, "own"]);
    expect(Now.plainDateISO?.("UTC")).toEqual(["date", ms, "UTC"]);
    expect(Now.plainTimeISO?.()).toEqual(["time", ms, "own"]);
  });
  expect((await simulate(scenario, { runs: 1 })).runs).toBe(1);
});

test.concurrent("an interval of promises keeps its period if its reader is slow", async () => {
  const times: number[] = [];
  await simulate(
    async (world) => {
      times.length = 0;
      const start = Date.now();
      for await (const _ of interval(100)) {
        times.push(Date.now() - start);
        if (times.length === 4) break;
        await sleep(times.length === 1 ? 250 : 0);
      }
      return create(world);
    },
    { runs: 1, faults: [] },
  );
  expect(times.map((ms) => Math.floor(ms / 50) * 50)).toEqual([100, 350, 350, 400]);
});

function raise(error: Error): never {
  throw error;
}

describe("a run fails that", () => {
  test.each<[string, Scenario, string]>([
    [
      "leaves a rejection unhandled",
      alsoDoing(() => void Promise.reject(new Error("oops"))),
      "it left a rejection unhandled: Error: oops",
    ],
    ["ends the process", alsoDoing(() => process.exit(0)), "it called process.exit(0)"],
    [
      "throws in a callback of real work",
      alsoDoing(() => new Promise(() => readFile(import.meta.filename, () => raise(new Error("oops"))))),
      "it threw Error: oops",
    ],
    [
      "ends the process in a callback of real work",
      alsoDoing(() => new Promise(() => readFile(import.meta.filename, () => process.exit(0)))),
      "it called process.exit(0)",
    ],
    ["throws in a microtask", alsoDoing(() => queueMicrotask(() => JSON.parse("oops"))), "it threw SyntaxError"],
  ])("%s", async (_, scenario, problem) => {
    const error = await failureOf(scenario, { seed: 7 });
    expect(error.problem).toContain(problem);
    expect([error.seed, error.run]).toEqual([7, 0]);
  });

  test("leaves a rejection for which Deno dispatches an event", async () => {
    const target = new EventTarget();
    for (const name of ["addEventListener", "removeEventListener"] as const) {
      vi.stubGlobal(name, target[name].bind(target));
    }
    // Not every runtime has every global.
    vi.stubGlobal("clearImmediate", undefined);
    Reflect.deleteProperty(globalThis, "clearImmediate");
    const dispatch = () => {
      const event = new Event("unhandledrejection", { cancelable: true });
      target.dispatchEvent(Object.assign(event, { reason: new Error("oops") }));
      return event.defaultPrevented;
    };
    const seen: boolean[] = [];
    const running = failureOf(alsoDoing(() => seen.push(dispatch())));
    expect(dispatch()).toBe(false);
    expect((await running).problem).toContain("it left a rejection unhandled: Error: oops");
    expect(new Set(seen)).toEqual(new Set([true]));
  });

  test.each<[string, () => unknown]>([
    ["does nothing", () => expect.fail("not implemented")],
    ["has another process, as under Jest", () => Object.create(process)],
  ])("ends the process, on a runtime whose node:vm %s", async (_, runInThisContext) => {
    const { getBuiltinModule } = process;
    const vm = { runInThisContext };
    vi.spyOn(process, "getBuiltinModule").mockImplementation(
      (name: string) => (name === "node:vm" ? vm : getBuiltinModule(name)) as never,
    );
    expect((await failureOf(alsoDoing(() => process.exit(0)))).problem).toContain("it called process.exit(0)");
  });
});

describe("state of an earlier run fails, and the error says where to create it", () => {
  test("that is a client", async () => {
    let client: PlantStoreClient | undefined;
    const scenario: Scenario = async ({ plants, clientOptions }) => {
      client ??= new PlantStoreClient({ ...clientOptions, maxRetries: 0 });
      const report = newReport();
      for (const plant of plants) report[verdictOf(await client.tryCreatePlant(plant))].push(plant.id);
      return report;
    };
    expect((await failureOf(scenario)).problem).toMatch(
      /^it sent no request through clientOptions.fetch, and reported 6 unknown; what a module remembers lasts from run to run/,
    );
    await expect(client?.createPlant({ id: 1, name: "Aloe" })).rejects.toMatchObject({
      cause: { message: "fetch failed: this client is of an earlier run; create it in the scenario" },
    });
  });

  test("that is a set of done plants", async () => {
    const done = new Set<NewPlant["id"]>();
    const scenario = oneByOne(async (plant, client) => {
      const verdict = done.has(plant.id) ? "created" : verdictOf(await client.tryCreatePlant(plant));
      if (verdict === "created") done.add(plant.id);
      return verdict;
    });
    expect((await failureOf(scenario)).problem).toMatch(
      /and reported 6 created; what a module remembers lasts from run to run: create clients and state in the scenario/,
    );
  });

  test("that is one done plant", async () => {
    let done: NewPlant["id"] | undefined;
    const scenario = oneByOne(async (plant, client) => {
      if (plant.id === done) return "created";
      const verdict = verdictOf(await client.tryCreatePlant(plant));
      if (verdict === "created") done ??= plant.id;
      return verdict;
    });
    expect((await failureOf(scenario)).problem).toMatch(
      /^plant 1 was reported created, and is not stored; it was not sent: what a module remembers/,
    );
  });
});

test.concurrent("the runs of two seeds do not overlap", async () => {
  const runsOf = async (seed: number) => {
    const runs = new Set<string>();
    const scenario: Scenario = async (world) => {
      const report = await create(world);
      runs.add(JSON.stringify([...world.store.requests].map(({ at, status }) => [at, status])));
      return report;
    };
    await simulate(scenario, { seed, runs: 100 });
    return runs;
  };
  const first = await runsOf(1);
  expect([...(await runsOf(2))].filter((run) => first.has(run))).toEqual([]);
});

test.concurrent.each([
  ["does not come again", ["oops"], "passed"],
  ["comes once more", ["oops", "oops"], "passed"],
  ["is followed by another one", ["oops", "other"], "failed in another way: it threw Error: other"],
])("a failure that %s is called not reproducible, and has a replay", async (_, errors, second) => {
  let calls = 0;
  const scenario = alsoDoing(() => {
    const message = errors[++calls - 5];
    if (message) throw new Error(message);
  });
  const error = await failureOf(scenario);
  const [first, doubt] = error.message.split("\n");
  expect(first).toMatch(/^it threw Error: oops/);
  expect(doubt).toContain(`It is not reproducible: the same run, repeated, ${second}`);
  expect((await simulate(create, { replay: error.replay })).runs).toBe(1);
});

test.concurrent("a deadline that ended in a run without faults is named, because it may have overtaken real work", async () => {
  const error = await failureOf(alsoDoing(() => sleep(500).then(() => raise(new Error("too slow")))));
  expect(error.message).toContain(
    "\nA wait of 0.5 s ended while no real work was seen. If there was some: crypto, zlib, ",
  );
});

test.concurrent("an outage is drawn that outlasts the patience of an import, and is one fault", async () => {
  const scenario = oneByOne(async (plant, client) => {
    for (let tries = 0; tries < 20; tries++) {
      const verdict = verdictOf(await client.tryCreatePlant(plant));
      if (verdict !== "failed") return verdict;
      await sleep(100);
    }
    throw new Error("twenty tries");
  });
  const { replay, message } = await failureOf(scenario, { mock: { duplicateIds: "accept", rateLimit: undefined } });
  expect(replay.faults).toEqual([expect.objectContaining({ times: expect.any(Number) })]);
  expect(message).toMatch(/ {2}\w+ for \d+ requests from request \d+ /);
});

test.concurrent("a kill for a moment after the scenario has returned is none", async () => {
  const scenario: Scenario = async ({ plants, clientOptions }) => {
    // Under way when the scenario returns: the first timer fires later.
    void new PlantStoreClient(clientOptions).tryCreatePlant(plants[0] as NewPlant);
    return { failed: [1] };
  };
  const replay = { seed: 1, run: 1, mock: {}, faults: [], crashes: [1], redelivered: [] };
  const error = await failureOf(scenario, { plants: 1, replay });
  expect(error.replay.crashes).toEqual([]);
});

test.concurrent("the text of an error has at most forty lines, and a long replay is in the error alone", async () => {
  const scenario: Scenario = async ({ plants, clientOptions }) => {
    const client = new PlantStoreClient({ ...clientOptions, maxRetries: 0 });
    const results = await Promise.all(plants.map((plant) => client.tryCreatePlant(plant)));
    return results.every(({ ok }) => !ok) ? {} : { unknown: plants.map(({ id }) => id) };
  };
  const faults = Array.from({ length: 100 }, (_, index) => ({
    id: `${index + 1}`,
    request: 1,
    fault: { type: "lostResponse" as const },
  }));
  const replay = { seed: 1, run: 1, mock: {}, faults, crashes: [], redelivered: [] };
  const { message, ...error } = await failureOf(scenario, { plants: 100, replay });
  expect(message.split("\n").length).toBeLessThanOrEqual(40);
  expect(message).toContain("simulate(scenario, { replay: error.replay })");
  expect(error.replay.faults).toHaveLength(100);
});

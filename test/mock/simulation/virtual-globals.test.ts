import { AsyncLocalStorage } from "node:async_hooks";
import { readFile } from "node:fs/promises";
import { setTimeout as timersTimeout } from "node:timers";
import {
  setImmediate as immediate,
  setInterval as interval,
  scheduler,
  setTimeout as sleep,
} from "node:timers/promises";
import { promisify } from "node:util";
import { type NewPlant, PlantStoreClient } from "plant-store-client";
import { type SimulatedWorld, SimulationError, simulate } from "plant-store-client/mock";
import { afterEach, describe, expect, test, vi } from "vitest";
import { newReport, oneByOne, verdictOf } from "./imports.ts";

const create = oneByOne(async (plant, client) => verdictOf(await client.tryCreatePlant(plant)));

/** Creates the plants of one run, then does something else, and returns what that took of virtual time. */
async function inRun<Result>(act: (world: SimulatedWorld) => Result | Promise<Result>) {
  const took: { result?: Result; ms: number } = { ms: 0 };
  await simulate(
    async (world) => {
      const report = await create(world);
      const start = world.clock.now();
      took.result = await act(world);
      took.ms = world.clock.now() - start;
      return report;
    },
    { runs: 1, faults: [], plants: 1 },
  );
  return took;
}

const until = (start: (resolve: (value?: unknown) => void) => unknown) => new Promise((resolve) => start(resolve));

describe("takes virtual time", () => {
  test.each<[string, () => Promise<unknown>, number]>([
    ["setTimeout", () => until((done) => setTimeout(done, 5_000)), 5_000],
    ["a text of digits", () => until((done) => setTimeout(done, "10" as never)), 10],
    ["part of a millisecond", () => until((done) => setTimeout(done, 2.9)), 2],
    ["0", () => until((done) => setTimeout(done, 0)), 1],
    ["NaN", () => until((done) => setTimeout(done, Number.NaN)), 1],
    ["no delay", () => until((done) => setTimeout(done)), 1],
    ["setImmediate", () => until((done) => setImmediate(done)), 0],
    ["node:timers", () => until((done) => timersTimeout(done, 700)), 700],
    ["node:timers/promises", () => sleep(60_000), 60_000],
    ["its setImmediate", () => immediate(), 0],
    ["scheduler.wait", () => scheduler.wait(300), 300],
    ["scheduler.yield", () => scheduler.yield(), 0],
    ["promisify(setTimeout)", () => promisify(setTimeout)(40), 40],
    ["promisify(setImmediate)", () => promisify(setImmediate)(), 0],
    ["AbortSignal.timeout", () => until((done) => AbortSignal.timeout(3_000).addEventListener("abort", done)), 3_000],
    [
      "setInterval",
      () =>
        until((done) => {
          let count = 0;
          const timer = setInterval(() => {
            if (++count < 3) return;
            clearInterval(timer);
            done();
          }, 1_000);
        }),
      3_000,
    ],
    [
      "an interval of promises",
      async () => {
        const values: unknown[] = [];
        for await (const value of interval(100, "tick")) if (values.push(value) === 2) break;
        expect(values).toEqual(["tick", "tick"]);
      },
      200,
    ],
    [
      "an interval that is cleared by its number",
      () =>
        until((done) => {
          const number = +setInterval(() => {
            clearInterval(number);
            Number(setTimeout(done, 50));
          }, 20);
        }),
      70,
    ],
    ["refresh", () => until((done) => setTimeout(() => timer.refresh(), 10, setTimeoutOf(done))), 30],
  ])("%s", async (_, act, ms) => {
    const began = performance.now();
    expect((await inRun(act)).ms).toBe(ms);
    expect(performance.now() - began).toBeLessThan(30_000);
  });

  let timer: NodeJS.Timeout;
  function setTimeoutOf(done: () => void): void {
    timer = setTimeout(done, 20);
  }
});

test("a timer has the methods of Node's, and passes its values on", async () => {
  const { result } = await inRun(async () => {
    const timer = setTimeout(() => expect.fail("canceled"), 5);
    const flags = [timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()];
    for (const clear of [
      (one: NodeJS.Timeout) => clearTimeout(+one),
      (one: NodeJS.Timeout) => clearTimeout(`${+one}`),
      (one: NodeJS.Timeout) => one.close(),
      (one: NodeJS.Timeout) => one[Symbol.dispose](),
      (one: NodeJS.Timeout) => clearInterval(one),
    ]) {
      const cleared = setTimeout(() => expect.fail("canceled"), 5);
      clear(cleared);
      cleared.refresh();
      expect(+cleared).toBeGreaterThan(0);
    }
    timer.close();
    clearImmediate(setImmediate(() => expect.fail("canceled")));
    for (const other of [undefined, null, {}, -1, "x"]) clearTimeout(other as never);
    expect(() => setTimeout("code" as never)).toThrow(/The "callback" argument must be of type function/);
    expect(() => queueMicrotask("code" as never)).toThrow(TypeError);
    const values = await until((done) => setTimeout((...given: unknown[]) => done(given), 10, 1, "two"));
    return [flags, values];
  });
  expect(result).toEqual([
    [true, false, true],
    [1, "two"],
  ]);
});

test("a wait of node:timers/promises ends with an AbortError if its signal is aborted", async () => {
  await inRun(async () => {
    const controller = new AbortController();
    const waiting = sleep(1_000, "value", { signal: controller.signal });
    const ticking = interval(1_000, "value", { signal: controller.signal })[Symbol.asyncIterator]().next();
    setTimeout(() => controller.abort("why"), 10);
    const error = { name: "AbortError", code: "ABORT_ERR", cause: "why" };
    await Promise.all([waiting, ticking].map((aborted) => expect(aborted).rejects.toMatchObject(error)));
    await expect(sleep(1, undefined, { signal: controller.signal })).rejects.toThrow("The operation was aborted");
    expect(await sleep(1, "value", { signal: new AbortController().signal })).toBe("value");
  });
});

test("the signal of AbortSignal.timeout has the reason of the runtime's, which refuses what it would refuse", async () => {
  await inRun(async () => {
    const signal = AbortSignal.timeout(5);
    await sleep(6);
    expect(signal.reason).toMatchObject({ name: "TimeoutError", message: "The operation was aborted due to timeout" });
    expect(() => AbortSignal.timeout(-1)).toThrow(RangeError);
  });
});

test("Date is the class of every date, and whole milliseconds of the clock", async () => {
  const before = new Date(0);
  await inRun(({ clock }) => {
    expect([before instanceof Date, new Date() instanceof Date, before.constructor === Date]).toEqual([
      true,
      true,
      true,
    ]);
    expect(new Date()).toEqual(new Date(clock.date()));
    expect(Date.now()).toBe(clock.date());
    expect(Number.isInteger(Date.now())).toBe(true);
    expect(Date()).toMatch(/2026/);
    expect([Date.name, Date.length, new Date(2026, 0, 1).getMonth(), Date.UTC(1970)]).toEqual(["Date", 7, 0, 0]);
    expect(structuredClone(new Date())).toBeInstanceOf(Date);
  });
});

test("performance.now and process.hrtime are the clock's", async () => {
  await inRun(async ({ clock }) => {
    const [start, hrtime] = [process.hrtime.bigint(), process.hrtime()];
    await sleep(61_500);
    expect(performance.now()).toBe(clock.now());
    expect(process.hrtime.bigint() - start).toBe(61_500_000_000n);
    expect(process.hrtime(hrtime)).toEqual([61, 500_000_000]);
    expect(process.hrtime()[0]).toBe(Math.floor(clock.now() / 1_000));
  });
});

test("everything is restored, and a timer of others is cleared by the real function", async () => {
  const names = [
    "setTimeout",
    "setInterval",
    "setImmediate",
    "clearTimeout",
    "clearInterval",
    "clearImmediate",
    "Date",
  ];
  const now = () => [
    ...names.map((name) => (globalThis as Record<string, unknown>)[name]),
    Math.random,
    performance.now,
    process.hrtime,
    AbortSignal.timeout,
    sleep,
    timersTimeout,
    Date.prototype.constructor,
  ];
  const before = now();
  const other = setTimeout(() => expect.fail("cleared in the run"), 0);
  await inRun(() => clearTimeout(other));
  expect(now()).toEqual(before);
});

test("between two runs, the time is the real one", async () => {
  const pending: Promise<unknown>[] = [];
  const seen: unknown[] = [];
  const mock = {
    // Read when a run begins, before its scenario is called.
    get unknownFields() {
      const timers = [setTimeout(() => {}), setInterval(() => {}), setImmediate(() => {})] as const;
      clearTimeout(timers[0]);
      clearInterval(timers[1]);
      pending.push(sleep(1), immediate(), interval(1)[Symbol.asyncIterator]().next());
      seen.push(
        ...timers.map((timer) => timer.constructor.name),
        [Date.now(), performance.now(), process.hrtime()[0], process.hrtime.bigint()]
          .map(Number)
          .every((time) => time > 0),
        Math.random() < 1 && new Date() > new Date(Date.UTC(2026, 10)) && !AbortSignal.timeout(1).aborted,
      );
      return undefined;
    },
  };
  await simulate(create, { runs: 1, faults: [], plants: 1, mock });
  await Promise.all(pending);
  const oneRun = ["Timeout", "Timeout", "Immediate", true, true];
  expect(seen).toEqual([...oneRun, ...oneRun]);
});

test("the clock of the world passes over what holds it, and a client may have it", async () => {
  const { ms } = await inRun(async ({ clock, clientOptions, plants }) => {
    const release = clock.hold("a lock");
    await clock.advance(100);
    release();
    const token = () => clock.sleep(200).then(() => clientOptions.token);
    const client = new PlantStoreClient({ ...clientOptions, clock, token, timeoutMs: 1_000 });
    await client.createPlant({ ...(plants[0] as NewPlant), id: 2 });
  });
  expect(ms).toBeGreaterThanOrEqual(300);
});

test("a callback runs in the async context of the code that set it", async () => {
  const context = new AsyncLocalStorage<string>();
  const { result } = await inRun(() =>
    context.run("own", () => until((done) => setTimeout(() => done(context.getStore()), 5))),
  );
  expect(result).toBe("own");
});

// Node 26 does not show the reads of a file: the guide says so.
const showsFiles = Number.parseInt(process.versions.node, 10) < 26;

test.runIf(showsFiles)("real work holds the time: a file is read although a timer is pending", async () => {
  const { ms } = await inRun(async () => {
    const watchdog = setTimeout(() => expect.fail("the time overtook a file"), 1);
    for (let reads = 0; reads < 5; reads++) await readFile(import.meta.filename);
    clearTimeout(watchdog);
  });
  expect(ms).toBe(0);
});

describe("a run ends with an error", () => {
  const failure = (act: (world: SimulatedWorld) => unknown) =>
    inRun(act).then(
      () => expect.fail("it passed"),
      (error: SimulationError) => error,
    );
  const oops = new TypeError("oops\nand more");

  test.each<[string, (world: SimulatedWorld) => unknown, RegExp]>([
    ["of a timer", () => until(() => setTimeout(() => raise(oops), 5)), /^it threw TypeError: oops, at /],
    [
      "of an async timer",
      () => until(() => setTimeout(async () => raise(oops), 5)),
      /^it left a rejection unhandled: TypeError: oops, at /,
    ],
    ["of an interval", () => until(() => setInterval(() => raise(oops), 5)), /^it threw TypeError: oops, at /],
    ["that is no error", () => raise(Object.create(null)), /^it threw an object \(seed 1, run 0\)/],
    ["that is a text", () => raise("oops"), /^it threw "oops" \(seed 1, run 0\)/],
    ["that has no stack", () => raise({ message: "oops" }), /^it threw Error: oops \(seed 1, run 0\)/],
  ])("%s", async (_, act, message) => {
    const error = await failure(act);
    expect(error).toBeInstanceOf(SimulationError);
    expect(error.message).toMatch(message);
  });

  test("whose cause is that of the code", async () => {
    expect((await failure(() => raise(oops))).cause).toBe(oops);
  });

  function raise(error: unknown): never {
    throw error;
  }
});

describe("simulate", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("refuses fake timers", async () => {
    vi.useFakeTimers();
    await expect(simulate(create)).rejects.toThrow("the timers are faked; call vi.useRealTimers()");
  });

  test.each([
    ["another simulation", async () => simulate],
    [
      "one of another copy of this package",
      async () => {
        vi.resetModules();
        const { simulate: copy } = await import("../../../mock/index.ts");
        expect(copy).not.toBe(simulate);
        return copy;
      },
    ],
  ])("runs alongside %s, and is refused within its scenario", async (_, load) => {
    const other = await load();
    const order: string[] = [];
    const named = (name: string) => async (world: SimulatedWorld) => {
      order.push(name);
      const report = await create(world);
      await sleep(10);
      return report;
    };
    const nested = async (world: SimulatedWorld) => {
      await expect(simulate(create)).rejects.toThrow("simulate: was called within a scenario");
      return named("first")(world);
    };
    const { setTimeout: real } = globalThis;
    await Promise.all([
      other(nested, { runs: 2 }),
      simulate(named("second"), { runs: 2 }),
      expect(other(() => newReport(), { runs: 2 })).rejects.toThrow("it sent no request"),
    ]);
    expect([...order].sort()).toEqual(["first", "first", "first", "second", "second", "second"]);
    expect(globalThis.setTimeout).toBe(real);
  });
});

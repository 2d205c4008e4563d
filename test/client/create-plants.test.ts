import { runInNewContext } from "node:vm";
import { type CreatePlantResult, createPlants, type NewPlant, PlantStoreTokenError } from "plant-store-client";
import { describe, expect, test, vi } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { collect } from "./fixtures/collect.ts";
import {
  type Creator,
  counted,
  failedBy,
  heldCreator,
  immediate,
  numbered,
  refusal,
  success,
} from "./fixtures/creators.ts";
import { flush, TestClock } from "./fixtures/test-clock.ts";

test("each result carries its plant and its place in the input", async () => {
  const plants = numbered(5);
  const { list, thrown } = await collect(createPlants(immediate, plants));
  expect(thrown).toBe("nothing");
  expect(list).toMatchObject(plants.map((input, index) => ({ ok: true, plant: { name: input.name }, input, index })));
});

test("thousands of plants finish under fake timers that nobody advances", async () => {
  vi.useFakeTimers();
  try {
    expect((await collect(createPlants(immediate, numbered(2_500)))).list).toHaveLength(2_500);
  } finally {
    vi.useRealTimers();
  }
});

test("a run that is aborted while the input of a thousand plants lets others have their turn pulls no more", async () => {
  const { input, seen } = counted(numbered(2_500));
  const controller = new AbortController();
  const consume = async () => {
    for await (const { index } of createPlants(immediate, input, { signal: controller.signal, concurrency: 2 })) {
      if (index === 998) controller.abort("stop");
    }
  };
  await expect(consume()).rejects.toBe("stop");
  expect(seen.pulled).toBe(999);
});

test("results come as they settle", async () => {
  const { creator, finish } = heldCreator();
  const results = createPlants(creator, numbered(3));
  const first = results.next();
  await flush();
  finish(2);
  expect((await first).value).toMatchObject({ index: 2 });
  finish(0);
  expect((await results.next()).value).toMatchObject({ index: 0 });
  finish(1);
  expect((await results.next()).value).toMatchObject({ index: 1 });
  expect(await results.next()).toEqual({ done: true, value: undefined });
});

describe("the input is pulled", () => {
  test("not before the first result is requested", async () => {
    const { input, seen } = counted(numbered(3));
    createPlants(immediate, input);
    await flush();
    expect(seen.pulled).toBe(0);
  });

  test("4 at a time at first, and 16 after enough successes by default", async () => {
    const { creator, started, finish } = heldCreator();
    const { input, seen } = counted(numbered(200));
    const results = createPlants(creator, input);
    const first = results.next();
    await flush();
    expect({ pulled: seen.pulled, started: started().length }).toEqual({ pulled: 4, started: 4 });
    finish(0);
    await first;
    for (let id = 1; id < 100; id++) {
      const next = results.next();
      await flush();
      finish(id);
      await next;
    }
    void results.next();
    await flush();
    expect(seen.pulled - 100).toBe(16);
    expect(started()).toHaveLength(116);
  });

  test("only while fewer than the concurrency are in flight or not yet consumed", async () => {
    const { creator, finish, started } = heldCreator();
    const { input, seen } = counted(numbered(100));
    const results = createPlants(creator, input, { concurrency: 3 });
    const first = results.next();
    await flush();
    expect(seen.pulled).toBe(3);
    for (const id of [0, 1, 2]) finish(id);
    await first;
    await flush();
    // Two are settled and wait for the consumer, which is busy with the first.
    expect(seen.pulled).toBe(3);
    await results.next();
    await flush();
    expect(seen.pulled).toBe(4);
    await results.next();
    await flush();
    expect(seen.pulled).toBe(5);
    expect(started()).toEqual([0, 1, 2, 3, 4]);
  });

  test("one at a time if it is asynchronous, and never concurrently", async () => {
    let asked = 0;
    let most = 0;
    let now = 0;
    const input = {
      [Symbol.asyncIterator]: () => ({
        async next(): Promise<IteratorResult<NewPlant>> {
          now++;
          most = Math.max(most, now);
          await flush();
          now--;
          const id = asked++;
          return id < 5 ? { done: false, value: { id, name: "x" } } : { done: true, value: undefined };
        },
      }),
    };
    const { list } = await collect(createPlants(immediate, input, { concurrency: 4 }));
    expect(list).toHaveLength(5);
    expect(most).toBe(1);
    expect(asked).toBe(6);
  });

  test("from an async generator whose promises are of another realm", async () => {
    const input: AsyncIterable<NewPlant> = runInNewContext(
      "(async function* () { yield { id: 1, name: 'a' }; yield { id: 2, name: 'b' }; })()",
    );
    const { list } = await collect(createPlants(immediate, input, { concurrency: 2 }));
    expect(list.map(({ input: { id } }) => id)).toEqual([1, 2]);
  });
});

describe("an input that fails", () => {
  function* broken(): Generator<NewPlant> {
    yield* numbered(2);
    throw new Error("line 3");
  }
  async function* brokenLater(): AsyncGenerator<NewPlant> {
    yield* broken();
  }
  test.each([
    ["at once", broken],
    ["later", brokenLater],
  ])("%s: the plants in flight finish, then its error is thrown", async (_, input) => {
    const { creator, finish, signals } = heldCreator();
    const collected = collect(createPlants(creator, input()));
    await flush();
    finish(1);
    await flush();
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false]);
    finish(0);
    const { list, thrown } = await collected;
    expect(list.map(({ index }) => index)).toEqual([1, 0]);
    expect(thrown).toMatchObject({ message: "line 3" });
  });
});

test.each([undefined, null, 7])("an input that gives %s instead of a result fails", async (garbage) => {
  const error = new TypeError(`Iterator result ${garbage} is not an object`);
  const later = { [Symbol.asyncIterator]: () => ({ next: async () => garbage as never }) };
  expect((await collect(createPlants(immediate, later))).thrown).toEqual(error);
  const atOnce = { [Symbol.iterator]: () => ({ next: () => garbage as never }) };
  expect((await collect(createPlants(immediate, atOnce))).thrown).toEqual(error);
});

test("an input that ended or failed is not closed", async () => {
  const whole = counted(numbered(3));
  await collect(createPlants(immediate, whole.input));
  expect(whole.seen.closed).toBe(0);
  const broken = counted([]);
  broken.input.next = () => {
    throw new Error("line 1");
  };
  expect((await collect(createPlants(immediate, broken.input))).thrown).toMatchObject({ message: "line 1" });
  expect(broken.seen.closed).toBe(0);
});

test("a creator that rejects ends the run with its error, after all results: its plant may have been sent", async () => {
  const creator: Creator = {
    tryCreatePlant: async (plant) => {
      if (plant.id === 1) throw new Error("no client");
      return success(plant);
    },
  };
  const { input, seen } = counted(numbered(100));
  const { list, thrown } = await collect(createPlants(creator, input, { concurrency: 3 }));
  expect(thrown).toMatchObject({ message: "no client" });
  expect(list.map(({ index, ok, outcome }) => ok || [index, outcome])).toEqual([true, [1, "unknown"], true]);
  expect(list[1]).toMatchObject({ error: { kind: "aborted", outcome: "unknown", cause: thrown } });
  expect(seen).toEqual({ pulled: 3, closed: 1 });
});

test("thousands of next() calls at once get the results in the order of the calls", async () => {
  const results = createPlants(immediate, numbered(2_500), { concurrency: 1 });
  const calls = await Promise.all(Array.from({ length: 2_500 }, () => results.next()));
  expect(calls.map(({ value }) => value?.index)).toEqual(numbered(2_500).map(({ id }) => id));
});

test("timers get a turn at least once in a thousand results, even if no plant waits for anything", async () => {
  let turns = 0;
  let timer = setTimeout(function tick() {
    turns++;
    timer = setTimeout(tick);
  });
  const { list } = await collect(createPlants(immediate, numbered(5_000)));
  clearTimeout(timer);
  expect(list).toHaveLength(5_000);
  expect(turns).toBeGreaterThanOrEqual(4);
});

test("timers get a turn without MessageChannel too, which React Native does not have", async () => {
  vi.stubGlobal("MessageChannel", undefined);
  const clock = new TestClock();
  const { list } = await clock.until(collect(createPlants(immediate, numbered(2_500), { clock })));
  vi.unstubAllGlobals();
  expect(list).toHaveLength(2_500);
  expect(clock.waits).toEqual([0, 0]);
});

const CREATOR = "must be a PlantStoreClient, or an object with its tryCreatePlant; received";
const PLANTS = "must be an iterable or async iterable of plants, such as an array; received";
const DURATION = "must be a number of milliseconds, 0 or more, or Infinity, not";
const known = "concurrency, signal, maxWaitMs, maxRetries, journal, clock, onPace";

test.each<[option: string, problem: string, creator: unknown, plants?: unknown, options?: object]>([
  ["creator", `${CREATOR} undefined`, undefined, []],
  ["creator", `${CREATOR} an object`, {}, []],
  ["plants", `${PLANTS} undefined`, immediate],
  ["plants", `${PLANTS} a string`, immediate, "abc"],
  ["plants", `${PLANTS} an object`, immediate, { id: 1, name: "x" }],
  ["plants", `${PLANTS} a promise: await it first`, immediate, Promise.resolve([])],
  ["concurrency", `${mustBe.integer(1, Number.MAX_SAFE_INTEGER)} 0`, immediate, [], { concurrency: 0 }],
  ["signal", `${mustBe.signal} an object`, immediate, [], { signal: {} }],
  ["maxWaitMs", `${DURATION} -1`, immediate, [], { maxWaitMs: -1 }],
  ["maxWaitMs", `${DURATION} NaN`, immediate, [], { maxWaitMs: Number.NaN }],
  ["maxWaitMs", `${DURATION} "1000"`, immediate, [], { maxWaitMs: "1000" }],
  ["maxRetries", `${mustBe.integer(0, 1_000)} 1001`, immediate, [], { maxRetries: 1_001 }],
  ["clock", `${mustBe.clock} a function`, immediate, [], { clock: Date }],
  ["onPace", `${mustBe.callable} true`, immediate, [], { onPace: true }],
])("an invalid %s is refused at once: %s", (option, problem, creator, plants, options) => {
  const create = () => createPlants(creator as never, plants as never, options as never);
  expect(create).toThrow(expect.objectContaining({ kind: "config", option, message: `${option} ${problem}` }));
});

const { error, ...failure } = refusal(0);
test.each<[what: string, received: unknown, kind: string]>([
  ["returns nothing", undefined, "undefined"],
  ["returns a text", "ok", "a string"],
  ["returns the plant", { name: "Fern" }, "an object"],
  ["returns a list", [], "an array"],
  ["returns a response", new Response(), "a result without its attempts"],
  ["forgets the attempts", { ok: true, plant: { name: "Fern" } }, "a result without its attempts"],
  ["forgets the attempts of a failure", { ...failure, error, attempts: undefined }, "a result without its attempts"],
  ["forgets the error", failure, "a result without its error"],
  ["has a text as its error", { ...failure, error: "429" }, "a result without its error"],
  ["forgets the outcome", { ...failure, error, outcome: undefined }, "a result without its outcome"],
  ["has an outcome of its own", { ...failure, error, outcome: "maybe" }, "a result without its outcome"],
])("a creator that %s ends the run with an error that names the mistake", async (_, received, kind) => {
  // After a refusal, when the attempts of both tries are added up.
  const steps = [refusal(0), received as CreatePlantResult];
  const creator = { tryCreatePlant: async () => steps.shift() ?? (received as CreatePlantResult) };
  const { list, thrown } = await collect(createPlants(creator, numbered(1)));
  expect(list.map(({ outcome }) => outcome)).toEqual(["unknown"]);
  expect(thrown).toEqual(
    new TypeError(
      `tryCreatePlant of the creator must resolve to the result of the client's; it resolved to ${kind}: return the result`,
    ),
  );
});

test.each([
  [
    "a result",
    () =>
      Object.defineProperty({ ...success({ id: 1, name: "x" }) }, "status", {
        get: () => JSON.parse("mine"),
        enumerable: true,
      }),
  ],
  [
    "an error",
    () => ({
      ...failure,
      error: Object.defineProperty(Object.create(null), "kind", { get: () => JSON.parse("mine") }),
    }),
  ],
  [
    "an attempt",
    () => ({
      ...success({ id: 1, name: "x" }),
      attempts: [Object.defineProperty({}, "status", { get: () => JSON.parse("mine"), enumerable: true })],
    }),
  ],
])("%s of a creator that cannot be read ends the run", async (_, received) => {
  const steps = [refusal(0)];
  const creator = { tryCreatePlant: async () => steps.shift() ?? (received() as CreatePlantResult) };
  const { list, thrown } = await collect(createPlants(creator, numbered(1)));
  expect(list.map(({ outcome }) => outcome)).toEqual(["unknown"]);
  expect(thrown).toBeInstanceOf(SyntaxError);
});

test("the error of several tries is of this library's class, also if the application derives its own", async () => {
  class Mine extends PlantStoreTokenError {
    constructor(text: string) {
      super({ message: text.trim() });
    }
  }
  const first = new Mine("no token");
  const once = await collect(createPlants({ tryCreatePlant: async () => failedBy(first) }, numbered(1)));
  expect(once.thrown).toBe(first);
  const steps = [refusal(0)];
  const creator = { tryCreatePlant: async () => steps.shift() ?? failedBy(first) };
  const { thrown, list } = await collect(createPlants(creator, numbered(1)));
  expect(thrown).toBeInstanceOf(PlantStoreTokenError);
  expect(thrown).not.toBeInstanceOf(Mine);
  expect(thrown).toMatchObject({ kind: "token", message: "no token", outcome: "rejected", attempts: { length: 1 } });
  expect(list[0]?.error).toBe(thrown);
});

test("an unknown option is refused at once, and nothing is pulled", () => {
  const { input, seen } = counted(numbered(1));
  const create = () => createPlants(immediate, input, { parallel: 4 } as never);
  expect(create).toThrow(`unknown option "parallel"; known options: ${known}`);
  expect(seen.pulled).toBe(0);
});

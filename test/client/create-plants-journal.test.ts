import {
  type CreatePlantsOptions,
  createPlants,
  type JournalState,
  type NewPlant,
  type Outcome,
  type PlantJournal,
  PlantStoreClient,
  PlantStoreConnectionError,
  PlantStoreInputError,
  PlantStoreInterruptedError,
  PlantStoreTimeoutError,
} from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import {
  attempt,
  type Creator,
  type CreatorStep,
  counted,
  failedBy,
  heldCreator,
  immediate,
  numbered,
  refusal,
  scripted,
  success,
} from "./fixtures/creators.ts";
import { flush, TestClock } from "./fixtures/test-clock.ts";

/** A journal that notes each call, and knows some plants from an earlier run. */
function noting(known: Record<number, JournalState> = {}, isLater = false) {
  const calls: string[] = [];
  const answer = <Value>(value: Value) => (isLater ? Promise.resolve().then(() => value) : value);
  const journal: PlantJournal = {
    claim({ id }) {
      calls.push(`claim ${id}`);
      return answer(known[Number(id)]);
    },
    record({ id }, outcome) {
      calls.push(`${outcome} ${id}`);
      return answer(undefined) as undefined;
    },
  };
  return { calls, journal };
}

async function run(steps: CreatorStep[], count: number, options: CreatePlantsOptions) {
  const clock = new TestClock();
  const { creator, sent } = scripted(clock, ...steps);
  const all = { concurrency: 1, ...options, clock };
  const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(count), all)));
  return { list: list.sort((a, b) => a.index - b.index), thrown, sent: sent.map(({ id }) => id), clock };
}

const ok = success({ id: 0, name: "x" });
const failed = (outcome: Outcome, retryable = false) =>
  failedBy(
    new PlantStoreTimeoutError({
      message: "late",
      timeoutMs: 5,
      outcome,
      retryable,
      attempts: [attempt({ reason: "timeout" })],
    }),
  );

test.each([false, true])("each try is bracketed by claim and record (later: %s)", async (isLater) => {
  const { calls, journal } = noting({}, isLater);
  const { list } = await run(
    [ok, refusal(1_000), failed("not-sent"), ok, failed("unknown"), refusal(undefined, 400)],
    4,
    {
      journal,
    },
  );
  expect(list.map(({ outcome }) => outcome)).toEqual([undefined, "unknown", undefined, "rejected"]);
  expect(calls).toEqual([
    ...["claim 0", "created 0", "claim 1", "rejected 1", "claim 1", "rejected 1", "claim 2", "created 2"],
    // The plant that failed waits until another one is created.
    ...["claim 1", "unknown 1", "claim 3", "rejected 3"],
  ]);
});

test("an unclear plant that is sent again keeps its claim, and stays unclear if the service then refuses it", async () => {
  const { calls, journal } = noting();
  const { list } = await run([ok, failed("unknown", true), refusal(undefined, 400)], 2, { journal });
  expect(list[1]).toMatchObject({ outcome: "unknown", error: { status: 400 } });
  expect(calls.slice(2)).toEqual(["claim 1", "unknown 1", "unknown 1"]);
});

test.each([false, true])(
  "a continued run gives no result for created plants, and sends no unclear ones (later: %s)",
  async (isLater) => {
    const { calls, journal } = noting({ 0: "created", 1: "unknown" }, isLater);
    const { list, sent, thrown } = await run([], 4, { journal, concurrency: 2 });
    expect(thrown).toBe("nothing");
    expect(list.map(({ index, outcome }) => [index, outcome])).toEqual([
      [1, "unknown"],
      [2, undefined],
      [3, undefined],
    ]);
    expect(list[0]?.error).toBeInstanceOf(PlantStoreInterruptedError);
    expect(list[0]?.error).toMatchObject({ kind: "interrupted", outcome: "unknown", attempts: [] });
    expect(sent).toEqual([2, 3]);
    expect(calls).not.toContain("created 0");
  },
);

test("a created plant of an earlier run shows that the configuration is right: an outage is waited out", async () => {
  const down = () =>
    failedBy(new PlantStoreConnectionError({ message: "refused", attempts: [attempt({ reason: "network" })] }));
  const { journal } = noting({ 0: "created" });
  const { list, thrown } = await run(Array.from({ length: 12 }, down), 2, { journal });
  expect({ thrown, created: list.map((result) => result.ok) }).toEqual({ thrown: "nothing", created: [true] });
});

test("many created plants are skipped without a result, and timers get their turns", async () => {
  const journal: PlantJournal = { claim: () => "created", record() {} };
  let turns = 0;
  const timer = setInterval(() => turns++, 0);
  const { list } = await collect(createPlants(immediate, numbered(20_000), { journal }));
  clearInterval(timer);
  expect(list).toEqual([]);
  expect(turns).toBeGreaterThan(1);
});

describe("a journal that fails", () => {
  const failing = (method: "claim" | "record", at: number, isLater: boolean) => {
    const { calls, journal } = noting();
    const original = journal[method] as (plant: NewPlant, other: never) => never;
    journal[method] = (plant: NewPlant, other: never): never => {
      if (plant.id !== at) return original(plant, other);
      calls.push(`${method} fails`);
      if (!isLater) throw new Error("disk full");
      return Promise.reject(new Error("disk full")) as never;
    };
    return { calls, journal };
  };

  test.each([false, true])(
    "at a claim ends the run: what is in flight is recorded, the rest was not sent (later: %s)",
    async (isLater) => {
      const { calls, journal } = failing("claim", 2, isLater);
      const { creator, finish } = heldCreator();
      async function* input() {
        yield* numbered(2);
        await flush();
        yield* numbered(9).slice(2);
      }
      const collected = collect(createPlants(creator, input(), { journal, concurrency: 3 }));
      await flush();
      await flush();
      finish(0);
      finish(1);
      const { list, thrown } = await collected;
      expect(thrown).toEqual(new Error("disk full"));
      const outcomes = list.sort((a, b) => a.index - b.index).map(({ outcome }) => outcome);
      expect(outcomes).toEqual([undefined, undefined, "not-sent"]);
      expect(calls.filter((call) => call.endsWith(" 2"))).toEqual([]);
      expect(calls).toEqual(expect.arrayContaining(["created 0", "created 1"]));
    },
  );

  test.each([false, true])(
    "at a record ends the run, and the created plant stays created (later: %s)",
    async (isLater) => {
      const { journal } = failing("record", 0, isLater);
      const { list, thrown } = await run([], 9, { journal });
      expect(thrown).toEqual(new Error("disk full"));
      expect(list.map((result) => result.ok)).toEqual([true]);
    },
  );
});

test.each([null, true, "done"])(
  "a claim that answers %j ends the run: no plant is lost without a word",
  async (state) => {
    const { calls, journal } = noting({ 1: state as never });
    const { list, thrown, sent } = await run([], 3, { journal });
    expect(thrown).toEqual(
      new TypeError(
        `claim of the journal must return "created", "unknown", "changed" or undefined; it returned ${JSON.stringify(state)}`,
      ),
    );
    expect(list.map(({ outcome }) => outcome)).toEqual([undefined, "not-sent"]);
    expect({ sent, calls }).toEqual({ sent: [0], calls: ["claim 0", "created 0", "claim 1"] });
  },
);

test("a plant whose claim is answered after the end of the run is not sent, and its claim is given back", async () => {
  const controller = new AbortController();
  const { calls, journal } = noting({}, true);
  const { creator, started } = heldCreator();
  const collected = collect(createPlants(creator, numbered(3), { journal, signal: controller.signal, concurrency: 2 }));
  controller.abort("stop");
  const { list, thrown } = await collected;
  expect({ thrown, started: started(), outcomes: list.map(({ outcome }) => outcome) }).toEqual({
    ...{ thrown: "stop", started: [], outcomes: ["not-sent", "not-sent"] },
  });
  expect(calls.sort()).toEqual(["claim 0", "claim 1", "not-sent 0", "not-sent 1"]);
});

test("leaving the loop waits for the records of the plants in flight", async () => {
  const { calls, journal } = noting({}, true);
  for await (const { index } of createPlants(immediate, numbered(5), { journal, concurrency: 3 }))
    if (index === 0) break;
  expect(calls.filter((call) => call.startsWith("claim"))).toHaveLength(3);
  expect(calls.filter((call) => !call.startsWith("claim"))).toHaveLength(3);
});

test("no more plants are unclear than the concurrency, however long a record takes", async () => {
  const seen = { open: 0, most: 0 };
  const journal: PlantJournal = {
    claim() {
      seen.most = Math.max(seen.most, ++seen.open);
      return undefined;
    },
    async record() {
      await flush();
      seen.open--;
    },
  };
  const { list } = await collect(createPlants(immediate, numbered(40), { journal, concurrency: 5 }));
  expect(list).toHaveLength(40);
  expect(seen.most).toBeLessThanOrEqual(5);
  // The first one is sent a fourth time while the input is awaited, which yields while that is recorded.
  seen.most = 0;
  async function* slow() {
    for (const plant of numbered(2)) {
      yield plant;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  const { creator } = scripted(new TestClock(), ...Array(3).fill(failed("not-sent", true)));
  await collect(createPlants(creator, slow(), { journal, concurrency: 1 }));
  expect(seen.most).toBe(1);
});

test("virtual time waits for a journal, which may be a real file", async () => {
  const store = createMockPlantStore({ time: "virtual" });
  store.inject(faults.delay(5_000), { when: { id: 0 } });
  let waitedMs: number | undefined;
  const journal: PlantJournal = {
    async claim({ id }) {
      if (id === 0) return undefined;
      await new Promise((resolve) => setTimeout(resolve, 20));
      waitedMs = store.clock.now();
      return undefined;
    },
    record() {},
  };
  await collect(createPlants(new PlantStoreClient(store.clientOptions), numbered(2), { journal }));
  expect(waitedMs).toBe(0);
});

test("a plant that differs from the created one is not sent: its result says what to do, and the run goes on", async () => {
  const { calls, journal } = noting({ 0: "changed" });
  const { list, sent, thrown } = await run([], 2, { journal });
  expect({ thrown, sent, calls }).toEqual({ thrown: "nothing", sent: [1], calls: ["claim 0", "claim 1", "created 1"] });
  const message = "is that of a plant that was created with another name or tag: restore these, or choose another id";
  expect(list[0]).toMatchObject({ ok: false, outcome: "not-sent", attempts: [], input: { id: 0 } });
  expect(list[0]?.error).toBeInstanceOf(PlantStoreInputError);
  expect(list[0]?.error).toMatchObject({
    message: `The plant was not sent: id ${message}`,
    issues: [{ path: ["id"], rule: "journal", message }],
  });
});

test("an invalid plant has the result that it has without a journal, and is neither claimed nor given to the creator", async () => {
  const { calls, journal } = noting();
  const client = new PlantStoreClient(createMockPlantStore().clientOptions);
  const plants = [
    { id: "1l36", name: "Zea mays" },
    null,
    { id: 1, name: "Fern" },
    { id: Object.create(null), name: "a" },
  ];
  const results = async (options: CreatePlantsOptions) => {
    const { list, thrown } = await collect(createPlants(client, plants as NewPlant[], options));
    expect(thrown).toBe("nothing");
    return list.sort((a, b) => a.index - b.index).map(({ error, input }) => [error?.message, input]);
  };
  expect(await results({ journal })).toEqual(await results({}));
  expect(calls).toEqual(["claim 1", "created 1"]);
  const creator: Creator = { tryCreatePlant: () => Promise.reject(new Error("it was given an invalid plant")) };
  const { list } = await collect(createPlants(creator, [{ id: 1.5, name: "Fern" }], { journal }));
  expect(list.map(({ error }) => error?.kind)).toEqual(["input"]);
});

describe.each([1, 2, 16])("of two plants with one id, at most %i at once", (concurrency) => {
  /** Two plants with id 7, and others; the results of those two, by their index. */
  async function twice(steps: CreatorStep[], second: NewPlant, known?: JournalState) {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, ...steps);
    const states = new Map<string, string>(known && [["7", known]]);
    const open = new Set<string>();
    const journal: PlantJournal = {
      async claim({ id, name }) {
        expect(open.has(`${id}`)).toBe(false);
        const state = states.get(`${id}`);
        if (state === "unknown") return "unknown";
        if (state) return state === name ? "created" : "changed";
        open.add(`${id}`);
        return undefined;
      },
      async record({ id, name }, outcome) {
        open.delete(`${id}`);
        if (outcome === "created") states.set(`${id}`, name);
        if (outcome === "unknown") states.set(`${id}`, "unknown");
      },
    };
    const plants = [{ id: 7, name: "Fern" }, second, { id: 8, name: "Fir" }, { id: 9, name: "Fig" }];
    const { list, thrown } = await clock.until(collect(createPlants(creator, plants, { journal, concurrency, clock })));
    expect(thrown).toBe("nothing");
    const both = list.filter(({ input }) => Number(input.id) === 7).sort((a, b) => a.index - b.index);
    expect(list).toHaveLength(both.length + 2);
    return {
      both: both.map(({ index, ok, error }) => [index, ok ? "created" : error.kind]),
      sent: sent.map(({ id }) => id),
    };
  }
  const same = { id: 7n, name: "Fern" };

  test("the second has no result if the first was created", async () => {
    const { both, sent } = await twice([], same);
    expect({ both, sent: sent.sort() }).toEqual({ both: [[0, "created"]], sent: [7, 8, 9] });
  });

  test("the second is changed if it differs from the first", async () => {
    const { both } = await twice([], { id: 7, name: "Ficus" });
    expect(both).toEqual([
      [0, "created"],
      [1, "input"],
    ]);
  });

  test("the second is unclear if the first is", async () => {
    const { both } = await twice([failed("unknown")], same);
    expect(both).toEqual([
      [0, "timeout"],
      [1, "interrupted"],
    ]);
  });

  test("the second is sent if the first was refused", async () => {
    const { both } = await twice([refusal(undefined, 400)], same);
    expect(both).toEqual([
      [0, "api"],
      [1, "created"],
    ]);
  });

  test("the second waits while the first is sent again", async () => {
    const { both } = await twice(
      Array.from({ length: 5 }, () => refusal(1_000)),
      same,
    );
    expect(both).toEqual([[0, "created"]]);
  });
});

test("plants that wait for one with the same id count towards the concurrency, and are not sent after the end", async () => {
  const { journal } = noting();
  const { creator, started, finish } = heldCreator();
  const { input, seen } = counted(Array.from({ length: 9 }, () => ({ id: 7, name: "Fern" })));
  const controller = new AbortController();
  const collected = collect(createPlants(creator, input, { journal, concurrency: 4, signal: controller.signal }));
  await flush();
  expect({ started: started(), pulled: seen.pulled }).toEqual({ started: [7], pulled: 4 });
  controller.abort("stop");
  finish(7);
  const { list, thrown } = await collected;
  expect(list.map(({ outcome }) => outcome)).toEqual([undefined, "not-sent", "not-sent", "not-sent"]);
  expect(thrown).toBe("stop");
});

test("an object of the application that changes is sent and recorded with the id that was claimed", async () => {
  class Row {
    id = 1;
    name = "Fern";
  }
  const row = new Row();
  const calls: string[] = [];
  const journal: PlantJournal<Row> = {
    claim(plant, index) {
      calls.push(`claim ${plant.id} ${index} ${plant === row}`);
      row.id = 2;
      return undefined;
    },
    record: ({ id, name }, outcome) => void calls.push(`${outcome} ${id} ${name}`),
  };
  const creator: Creator = {
    async tryCreatePlant(plant) {
      calls.push(`send ${plant.id}`);
      return success(plant);
    },
  };
  await collect(createPlants(creator, [row], { journal }));
  expect(calls).toEqual(["claim 1 0 true", "send 1", "created 1 Fern"]);
});

test.each([{}, { claim() {} }, null])("an object without claim and record is refused: %j", (journal) => {
  expect(() => createPlants(immediate, [], { journal } as never)).toThrow(
    "journal must be a PlantJournal, with the methods claim and record",
  );
});

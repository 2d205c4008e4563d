import { setImmediate as turn } from "node:timers/promises";
import {
  type CreatePlantOptions,
  type CreatePlantResult,
  type CreatePlantsPace,
  createPlants,
  type NewPlant,
  PlantStoreAbortError,
  PlantStoreConfigError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { PACING, type PacedOptions } from "../../src/transport/call.ts";
import { collect } from "./fixtures/collect.ts";
import { attempt, numbered, refusal, scripted, success } from "./fixtures/creators.ts";
import { START, TestClock } from "./fixtures/test-clock.ts";

describe("onPace", () => {
  test("reports each pause with its end, and each change of rate and window", async () => {
    const clock = new TestClock();
    const seen: CreatePlantsPace[] = [];
    const { creator } = scripted(clock, success({ id: 0, name: "x" }), refusal(2_000));
    const onPace = (pace: CreatePlantsPace) => seen.push(pace);
    await clock.until(collect(createPlants(creator, numbered(4), { concurrency: 1, onPace, clock })));
    expect(seen).toEqual([
      { pausedUntil: START + 2_000, ratePerSecond: expect.any(Number), window: 1 },
      { pausedUntil: undefined, ratePerSecond: seen[0]?.ratePerSecond, window: 1 },
    ]);
  });

  test("reports the end of a pause when a request starts, not when it has a response", async () => {
    const clock = new TestClock();
    const seen: CreatePlantsPace[] = [];
    const { creator, sent } = scripted(clock, refusal(2_000), new Promise<never>(() => {}));
    const onPace = (pace: CreatePlantsPace) => seen.push(pace);
    void createPlants(creator, numbered(1), { onPace, clock }).next();
    await clock.advance(4_000);
    expect(sent).toHaveLength(2);
    expect(seen).toMatchObject([{ pausedUntil: START + 2_000 }, { pausedUntil: undefined }]);
  });

  test("reports a pause that becomes longer, but not every refusal within it", async () => {
    const clock = new TestClock();
    const seen: (number | undefined)[] = [];
    const { creator } = scripted(clock, refusal(2_000), refusal(2_999), refusal(3_000));
    const onPace = ({ pausedUntil }: CreatePlantsPace) => seen.push(pausedUntil);
    await clock.until(collect(createPlants(creator, numbered(3), { onPace, clock })));
    expect(seen).toEqual([START + 2_000, START + 3_000, undefined]);
  });

  test("reports a window that a refusal without Retry-After lowers, though nothing pauses", async () => {
    const clock = new TestClock();
    const seen: CreatePlantsPace[] = [];
    const ok = success({ id: 0, name: "x" });
    const later = (result: CreatePlantResult) =>
      new Promise<CreatePlantResult>((resolve) => void clock.after(100, () => resolve(result)));
    const { creator } = scripted(clock, ok, later(refusal()), later(ok), later(ok), later(ok));
    const onPace = (pace: CreatePlantsPace) => seen.push(pace);
    await clock.until(collect(createPlants(creator, numbered(6), { concurrency: 4, onPace, clock })));
    expect(seen).toEqual([{ pausedUntil: undefined, ratePerSecond: undefined, window: 2 }]);
  });

  test("reports each step in which the rate grows, though nothing is refused", async () => {
    const clock = new TestClock();
    const rates: number[] = [];
    const { creator } = scripted(clock, success({ id: 0, name: "x" }), refusal(1_000));
    const onPace = ({ ratePerSecond }: CreatePlantsPace) => rates.push(ratePerSecond ?? 0);
    await clock.until(collect(createPlants(creator, numbered(200), { concurrency: 1, onPace, clock })));
    expect(new Set(rates).size).toBeGreaterThan(3);
    expect(rates).toEqual(rates.toSorted((a, b) => a - b));
  });

  test("gives the end of a later pause as a date, too", async () => {
    const clock = new TestClock();
    const pausesMs: number[] = [];
    const { creator } = scripted(clock, refusal(2_000), success({ id: 0, name: "x" }), refusal(3_000));
    const onPace = ({ pausedUntil }: CreatePlantsPace) => {
      if (pausedUntil !== undefined) pausesMs.push(pausedUntil - clock.date());
    };
    await clock.until(collect(createPlants(creator, numbered(3), { concurrency: 1, onPace, clock })));
    expect(pausesMs).toEqual([2_000, 3_000]);
  });

  test("is not called while nothing is refused", async () => {
    const clock = new TestClock();
    const seen: CreatePlantsPace[] = [];
    const { creator } = scripted(clock);
    await collect(createPlants(creator, numbered(9), { onPace: (pace) => seen.push(pace), clock }));
    expect(seen).toEqual([]);
  });

  test.each([
    [
      "throws",
      () => {
        throw new Error("logger");
      },
    ],
    ["rejects", () => Promise.reject(new Error("logger"))],
  ])("that %s changes nothing, and nothing is unhandled", async (_, onPace) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const clock = new TestClock();
    const { creator } = scripted(clock, refusal(1_000));
    const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(2), { onPace, clock })));
    process.off("unhandledRejection", note);
    expect({ created: list.filter(({ ok }) => ok).length, thrown }).toEqual({ created: 2, thrown: "nothing" });
    expect(unhandled).toEqual([]);
  });
});

describe("a creator that knows the pace of the run", () => {
  /** Each plant asks before it is sent, a turn after it was started, as a client does that waits for a token. */
  function paced(clock: TestClock, ...steps: CreatePlantResult[]) {
    const { creator, sent } = scripted(clock, ...steps);
    const tryCreatePlant = async (plant: NewPlant, options: CreatePlantOptions & PacedOptions = {}) => {
      await turn();
      return options[PACING]?.mayStart(0) === false ? aborted() : creator.tryCreatePlant(plant);
    };
    return { creator: { tryCreatePlant }, sent };
  }

  function aborted(): CreatePlantResult {
    return { ok: false, error: new PlantStoreAbortError({ message: "held back" }), attempts: [] };
  }

  test("sends no request before Retry-After has passed, even if its turn has come", async () => {
    const clock = new TestClock();
    const { creator, sent } = paced(clock, refusal(5_000));
    // The three others are started with the first, and ask when it is already refused.
    const { list } = await clock.until(collect(createPlants(creator, numbered(4), { clock })));
    expect(list.every(({ ok }) => ok)).toBe(true);
    expect(sent.filter(({ at }) => at < 5_000)).toHaveLength(1);
    expect(sent).toHaveLength(5);
  });

  test("keeps the refusal of a plant that is held back at its second try, until the end", async () => {
    const clock = new TestClock();
    const controller = new AbortController();
    const after = (ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve));
    const tries = [0, 0, 0];
    const tryCreatePlant = async (plant: NewPlant, options: CreatePlantOptions & PacedOptions = {}) => {
      const id = Number(plant.id);
      tries[id] = (tries[id] ?? 0) + 1;
      if (id === 1) return success(plant);
      if (id === 2) return after(5_000).then(() => refusal(60_000));
      if (tries[0] === 1) return after(10).then(() => refusal(1_000));
      // The third plant is refused in the meantime.
      await after(20_000);
      return options[PACING]?.mayStart(0) ? success(plant) : aborted();
    };
    const options = { signal: controller.signal, concurrency: 2 };
    const run = collect(createPlants({ tryCreatePlant }, numbered(3), { ...options, clock }));
    await clock.advance(40_000);
    controller.abort("stop");
    const { list, thrown } = await run;
    expect({ thrown, tries }).toEqual({ thrown: "stop", tries: [2, 1, 1] });
    expect(list.find(({ index }) => index === 0)).toMatchObject({ error: { kind: "api", status: 429 } });
  });

  test("may refuse a plant when the run is already over: that is its result", async () => {
    const controller = new AbortController();
    const result = refusal(5_000);
    const tryCreatePlant = async () => {
      controller.abort("stop");
      return result;
    };
    const { signal } = controller;
    const { list, thrown } = await collect(
      createPlants({ tryCreatePlant }, numbered(1), { signal, clock: new TestClock() }),
    );
    expect(thrown).toBe("stop");
    expect(list).toMatchObject([{ ok: false, error: result.error }]);
  });

  test("may have plants that are never sent: they do not count against the rate", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, success({ id: 0, name: "x" }), refusal(1_000));
    const invalid = (plant: NewPlant): CreatePlantResult => ({
      ...refusal(),
      attempts: [],
      error: new PlantStoreConfigError({ option: "x", message: `${plant.id}` }),
    });
    const choosy = {
      tryCreatePlant: async (plant: NewPlant) =>
        Number(plant.id) >= 10 ? invalid(plant) : creator.tryCreatePlant(plant),
    };
    const { list } = await clock.until(collect(createPlants(choosy, numbered(900), { concurrency: 1, clock })));
    expect(list).toHaveLength(900);
    // The first of them waits for its turn, and no other: at the rate of the others they would take most of a minute.
    expect(clock.now() - (sent.at(-1)?.at ?? 0)).toBeLessThan(100);
  });
});

test("missing responses change neither window nor rate", async () => {
  const clock = new TestClock();
  const seen: CreatePlantsPace[] = [];
  const lost = { ...refusal(), attempts: [attempt({ reason: "network" })] };
  Reflect.defineProperty(lost.error, "status", { value: undefined });
  const { creator } = scripted(clock, lost, lost, lost);
  const { list } = await collect(createPlants(creator, numbered(4), { onPace: (pace) => seen.push(pace), clock }));
  expect(list.map(({ ok }) => ok).sort()).toEqual([false, false, false, true]);
  expect(seen).toEqual([]);
});

test("an attempt without a response counts as one, even after an attempt with a response", async () => {
  const clock = new TestClock();
  const seen: CreatePlantsPace[] = [];
  const attempts = [attempt({ status: 503, reason: "status" }), attempt({ number: 2, reason: "network" })];
  const lost = { ...refusal(), attempts };
  Reflect.defineProperty(lost.error, "status", { value: undefined });
  const { creator } = scripted(clock, lost, refusal(1_000));
  const options = { concurrency: 1, onPace: (pace: CreatePlantsPace) => seen.push(pace) };
  await clock.until(collect(createPlants(creator, numbered(2), { ...options, clock })));
  // No request was admitted before the refusal, from which a rate could be measured.
  expect(seen[0]).toMatchObject({ ratePerSecond: undefined, window: 1 });
});

test("missing responses use up the rate: lost requests are not sent faster than others", async () => {
  const clock = new TestClock();
  const lost = { ...refusal(), attempts: [attempt({ reason: "network" })] };
  Reflect.defineProperty(lost.error, "status", { value: undefined });
  const first = [success({ id: 0, name: "x" }), refusal(1_000)];
  const { creator, sent } = scripted(clock, ...first, ...Array.from({ length: 8 }, () => lost));
  await clock.until(collect(createPlants(creator, numbered(9), { concurrency: 1, clock })));
  const gaps = sent.slice(3).map(({ at }, i) => at - (sent[i + 2]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(0);
});

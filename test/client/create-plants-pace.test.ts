import {
  type CreatePlantResult,
  type CreatePlantsOptions,
  type CreatePlantsPace,
  createPlants,
  type NewPlant,
  PlantStoreConnectionError,
  PlantStoreInputError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { attempt, type CreatorStep, failedBy, numbered, refusal, scripted, success } from "./fixtures/creators.ts";
import { START, TestClock } from "./fixtures/test-clock.ts";

const ok = success({ id: 0, name: "x" });
/** As many as a rate is measured from. */
const some = [ok, ok, ok, ok];
/** The result of a request that was sent and had no response. */
const lost = (...earlier: Parameters<typeof attempt>[0][]) => {
  const attempts = [...earlier.map(attempt), attempt({ reason: "network" })];
  return failedBy(new PlantStoreConnectionError({ message: "reset", outcome: "unknown", attempts }));
};

const unreached = () => failedBy(new PlantStoreConnectionError({ message: "refused", retryable: true, attempts: [] }));

/** A whole run, and what it reported of its pace. */
async function run(steps: (clock: TestClock) => CreatorStep[], count: number, options: CreatePlantsOptions = {}) {
  const clock = new TestClock();
  const seen: CreatePlantsPace[] = [];
  const { creator, sent } = scripted(clock, ...steps(clock));
  const all = { onPace: (pace: CreatePlantsPace) => seen.push(pace), ...options, clock };
  const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(count), all)));
  return { list, thrown, seen, sent, clock };
}

describe("onPace", () => {
  test("reports each pause with its end in milliseconds since the epoch, and each change of rate and window", async () => {
    const { seen } = await run(() => [...some, refusal(2_000)], 6, { concurrency: 1 });
    expect(seen).toEqual([
      {
        ...{ pausedUntilMs: START + 2_000, ratePerSecond: expect.any(Number), window: 1 },
        error: expect.objectContaining({ status: 429 }),
      },
      { pausedUntilMs: undefined, error: undefined, ratePerSecond: seen[0]?.ratePerSecond, window: 1 },
    ]);
  });

  test("reports a rate that rises, though nothing pauses", async () => {
    const { seen } = await run(() => [...some, refusal(1_000)], 200, { concurrency: 1 });
    const risen = seen.slice(2);
    expect(risen.length).toBeGreaterThan(0);
    expect(risen.map(({ ratePerSecond }) => ratePerSecond)).toEqual(
      risen.map(({ ratePerSecond }) => ratePerSecond).sort((one = 0, other = 0) => one - other),
    );
  });

  test("reports a pause that becomes longer, but not every refusal within it", async () => {
    const { seen } = await run(() => [refusal(2_000), refusal(2_999), refusal(3_000)], 3);
    expect(seen.map(({ pausedUntilMs }) => pausedUntilMs)).toEqual([START + 2_000, START + 3_000, undefined]);
  });

  test.each([
    ["a window that a refusal without Retry-After lowers", 9, { ratePerSecond: undefined, window: 2 }],
    ["a rate, if the window was not full", 7, { ratePerSecond: expect.any(Number), window: 4 }],
  ])("reports %s, though nothing pauses", async (_, count, pace) => {
    const later = (clock: TestClock, result: CreatePlantResult) =>
      new Promise<CreatePlantResult>((resolve) => void clock.after(100, () => resolve(result)));
    const steps = (clock: TestClock) => [...some, ...[refusal(), ok, ok, ok].map((result) => later(clock, result))];
    const { seen } = await run(steps, count, { concurrency: 4 });
    expect(seen).toEqual([{ pausedUntilMs: undefined, error: undefined, ...pace }]);
  });

  test("is not called while nothing is refused, nor for a missing response, which changes neither window nor rate", async () => {
    expect((await run(() => [], 9)).seen).toEqual([]);
    const { seen, list } = await run(() => [lost(), lost(), lost()], 4);
    expect(list.map((result) => result.ok).sort()).toEqual([false, false, false, true]);
    expect(seen).toEqual([]);
  });

  test("that throws changes nothing", async () => {
    const { list, thrown } = await run(() => [refusal(1_000)], 2, { onPace: () => JSON.parse("logger") });
    expect({ created: list.filter((result) => result.ok).length, thrown }).toEqual({ created: 2, thrown: "nothing" });
  });
});

test("an attempt without a response counts as one, even after an attempt with a response", async () => {
  const { seen } = await run(() => [lost({ status: 503, reason: "status" }), refusal(1_000)], 2, { concurrency: 1 });
  // No request was admitted before the refusal, from which a rate could be measured.
  expect(seen[0]).toMatchObject({ ratePerSecond: undefined, window: 1 });
});

test("missing responses use up the rate: lost requests are not sent faster than others", async () => {
  const { sent } = await run(() => [...some, refusal(1_000), ...Array(8).fill(lost())], 12, { concurrency: 1 });
  const gaps = sent.slice(6).map(({ at }, i) => at - (sent[i + 5]?.at ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThan(0);
});

test("plants that are never sent do not count against the rate", async () => {
  const clock = new TestClock();
  const { creator, sent } = scripted(clock, ...some, refusal(1_000));
  const invalid = failedBy(new PlantStoreInputError({ issues: [], message: "x" }));
  const tryCreatePlant = async (plant: NewPlant) => (plant.id < 10 ? creator.tryCreatePlant(plant) : invalid);
  const options = { concurrency: 1, clock };
  const { list } = await clock.until(collect(createPlants({ tryCreatePlant }, numbered(900), options)));
  expect(list).toHaveLength(900);
  // The first of them waits for its turn, and no other: at the rate of the others they would take most of a minute.
  expect(clock.now() - (sent.at(-1)?.at ?? 0)).toBeLessThan(100);
});

test("plants that were on their way before a refusal, and were then not sent, take nothing from its pause", async () => {
  const invalid = failedBy(new PlantStoreInputError({ issues: [], message: "x" }));
  const steps = (clock: TestClock) => {
    const later = new Promise<CreatePlantResult>((resolve) => void clock.after(100, () => resolve(invalid)));
    return [...some, refusal(1_000), later, later];
  };
  const { sent } = await run(steps, 7, { concurrency: 4 });
  expect(sent[7]?.at).toBeGreaterThanOrEqual(1_000);
});

test("nothing waits on a clock whose time is negative, as that of fake timers may be", async () => {
  const { sent } = await run((clock) => {
    clock.elapsedMs = -1_000_000;
    return [];
  }, 9);
  expect(sent.map(({ at }) => at)).toEqual(Array(9).fill(-1_000_000));
});

test("a created plant makes up for a fifth of a failure: four between five failures do not prevent an outage, six do", async () => {
  for (const [between, pauses] of [
    [4, 1],
    [6, 0],
  ] as const) {
    const down = unreached();
    const { seen } = await run(() => [down, down, down, ...Array(between).fill(ok), down, down], 12, {
      concurrency: 1,
    });
    expect(seen.filter(({ pausedUntilMs }) => pausedUntilMs)).toHaveLength(pauses);
  }
});

test("processes that wait for the same moment do not start at the same moment", async () => {
  const resumedAt = async (random: number, ...steps: CreatorStep[]) => {
    const withRandom = (clock: TestClock) => {
      clock.randoms = [random];
      return steps;
    };
    return (await run(withRandom, steps.length, { concurrency: 1 })).sent[steps.length]?.at;
  };
  const limited = [...some, refusal(1_000)];
  expect(await resumedAt(0, ...limited)).toBe(1_000);
  expect(await resumedAt(0.5, ...limited)).toBeGreaterThan(1_000);
  expect([await resumedAt(0, refusal()), await resumedAt(1, refusal())]).toEqual([125, 375]);
  const down = [unreached(), unreached(), unreached(), unreached()];
  expect([await resumedAt(0, ...down), await resumedAt(1, ...down)]).toEqual([187.5, 312.5]);
});

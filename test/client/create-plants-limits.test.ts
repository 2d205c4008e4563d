import {
  type CreatePlantResult,
  type CreatePlantsOptions,
  createPlants,
  type NewPlant,
  PlantStoreConnectionError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { attempt, type CreatorStep, failedBy, numbered, refusal, scripted, success } from "./fixtures/creators.ts";
import { flush, TestClock } from "./fixtures/test-clock.ts";

/** A whole run of a scripted creator. */
async function run(steps: CreatorStep[], count: number, options: CreatePlantsOptions = {}) {
  const clock = new TestClock();
  const { creator, sent } = scripted(clock, ...steps);
  const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(count), { ...options, clock })));
  return { list, thrown, clock, ids: sent.map(({ id }) => id), times: sent.map(({ at }) => at), ok: okOf(list) };
}

/** Whether each plant was created, in the order of the input. */
const okOf = (list: { index: number; ok: boolean }[]) => list.sort((a, b) => a.index - b.index).map(({ ok }) => ok);

const unsent = () =>
  failedBy(
    new PlantStoreConnectionError({
      message: "refused",
      retryable: true,
      attempts: [attempt({ reason: "network" })],
    }),
  );

/** A plant that may exist, where a second request does no harm. */
const retryable = () =>
  failedBy(
    new PlantStoreConnectionError({
      ...{ message: "reset", outcome: "unknown", retryable: true },
      attempts: [attempt({ reason: "network" })],
    }),
  );

describe("a plant that the service refuses", () => {
  test("is first in the queue again, in the order of the input", async () => {
    const { ids } = await run([refusal(1_000), refusal(1_000), refusal(1_000)], 5, { concurrency: 3 });
    expect(ids).toEqual([0, 1, 2, 0, 1, 2, 3, 4]);
  });

  test("waits for the latest Retry-After of several", async () => {
    const { times } = await run([refusal(9_000), refusal(1_000), refusal()], 3);
    expect(times).toHaveLength(6);
    for (const at of times.slice(3)) expect(at).toBeGreaterThanOrEqual(9_000);
  });

  test("without Retry-After is sent again after a pause that doubles up to eight seconds", async () => {
    const { times } = await run(Array(8).fill(refusal()), 1);
    expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 23_750, 31_750]);
  });

  test("waits for weeks if asked to: a wait that long consists of several timers", async () => {
    const month = 30 * 86_400_000;
    const { times, clock } = await run([refusal(month)], 1, { maxWaitMs: Number.POSITIVE_INFINITY });
    expect(times).toEqual([0, month]);
    expect(Math.max(...clock.waits)).toBe(2 ** 31 - 1);
  });
});

describe("a plant that fails for another reason, and certainly does not exist", () => {
  /** A creator that fails for one of its plants, and records how often that was sent. */
  function failing(id: number) {
    const sent: number[] = [];
    const tryCreatePlant = async (plant: NewPlant) => {
      sent.push(Number(plant.id));
      return plant.id === id ? unsent() : success(plant);
    };
    return { creator: { tryCreatePlant }, tries: () => sent.filter((other) => other === id).length };
  }

  test.each([
    [0, 1],
    [2, 3],
  ])("is sent again after another one was created, with maxRetries of %i", async (maxRetries, tries) => {
    const clock = new TestClock();
    const { creator, tries: seen } = failing(1);
    const { list, thrown } = await clock.until(
      collect(createPlants(creator, numbered(40), { concurrency: 1, maxRetries, clock })),
    );
    expect(thrown).toBe("nothing");
    expect(okOf(list)).toEqual(numbered(40).map(({ id }) => id !== 1));
    expect(list[1]).toMatchObject({ outcome: "not-sent", attempts: { length: tries } });
    expect(seen()).toBe(tries);
  });

  test.each([
    ["", unsent(), [250, 500, 1_000, 2_000, 4_000, 8_000, 8_000]],
    [", or may exist,", retryable(), [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]],
  ])("is waited for if it is the only one%s: pauses double up to a limit", async (_, failure, pauses) => {
    const steps = Array(3 + pauses.length).fill(failure);
    const { ok, times } = await run(steps, 1, { maxWaitMs: 600_000 });
    expect(ok).toEqual([true]);
    expect(times.slice(4).map((at, i) => at - (times[i + 3] as number))).toEqual(pauses);
  });

  test("does not use up its retries by refusals", async () => {
    const steps = [success({ id: 0, name: "x" }), refusal(1_000), refusal(1_000), refusal(1_000)];
    expect((await run(steps, 2, { concurrency: 1, maxRetries: 0 })).ok).toEqual([true, true]);
  });
});

describe("while plants wait to be sent", () => {
  test("leaving the loop ends the wait at once", async () => {
    const clock = new TestClock();
    const { creator } = scripted(clock, refusal(60_000));
    const results = createPlants(creator, numbered(3), { clock });
    expect((await results.next()).value).toMatchObject({ ok: true });
    await flush();
    expect(clock.pending).toBe(1);
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(clock.pending).toBe(0);
  });

  test("an input that throws, or a creator that rejects, ends the run: a refused plant gets its refusal", async () => {
    const clock = new TestClock();
    async function* input() {
      yield* numbered(1);
      await new Promise<void>((resolve) => clock.after(1_000, resolve));
      throw new Error("line 2");
    }
    const { creator } = scripted(clock, refusal(60_000));
    const broken = await clock.until(collect(createPlants(creator, input(), { concurrency: 2, clock })));
    expect(broken).toMatchObject({ thrown: { message: "line 2" }, list: [{ index: 0, error: { status: 429 } }] });

    const rejecting = await run([refusal(60_000), new Error("no client")], 9, { concurrency: 2 });
    const list = [
      { index: 0, error: { status: 429 } },
      { index: 1, outcome: "unknown" },
    ];
    expect(rejecting).toMatchObject({ thrown: { message: "no client" }, list });
  });

  test("an abort ends the wait: a refused plant gets its refusal, one that was pulled since then was not sent", async () => {
    const clock = new TestClock();
    const controller = new AbortController();
    const { creator, sent } = scripted(clock, refusal(60_000));
    async function* input() {
      yield* numbered(1);
      await new Promise<void>((resolve) => clock.after(1_000, resolve));
      yield { id: 1, name: "late" };
    }
    const collected = collect(createPlants(creator, input(), { concurrency: 2, signal: controller.signal, clock }));
    await clock.advance(2_000);
    controller.abort("stop");
    const { list, thrown } = await collected;
    expect({ thrown, sent: sent.length, timers: clock.pending }).toEqual({ thrown: "stop", sent: 1, timers: 0 });
    expect(list.find(({ index }) => index === 0)).toMatchObject({ outcome: "rejected" });
    expect(list.find(({ index }) => index === 1)).toMatchObject({
      ...{ outcome: "not-sent", attempts: [] },
      error: { kind: "aborted", message: "The plant was not sent: the run ended before its turn", cause: "stop" },
    });
  });
});

describe("a service that refuses some plants each time", () => {
  /** A creator that refuses certain plants, and records the ids that it receives. */
  function refusing(isRefused: (id: number) => boolean) {
    const sent: number[] = [];
    const tryCreatePlant = async (plant: NewPlant) => {
      sent.push(Number(plant.id));
      return isRefused(Number(plant.id)) ? refusal(1_000) : success(plant);
    };
    return { creator: { tryCreatePlant }, sent };
  }

  async function* later(plants: NewPlant[]) {
    yield* plants;
  }

  test.each([
    ["one of an array", 1, (id: number) => id === 5, (all: NewPlant[]) => all],
    ["one of an array", 16, (id: number) => id === 5, (all: NewPlant[]) => all],
    ["a tenth of an array", 4, (id: number) => id % 10 === 5, (all: NewPlant[]) => all],
    ["one of an async generator", 1, (id: number) => id === 5, later],
  ])(
    "%s, %i at once, creates all others, and each refused one fails after maxWaitMs",
    async (_, concurrency, isRefused, input) => {
      const clock = new TestClock();
      // A process that is older than maxWaitMs.
      await clock.advance(3_600_000);
      const { creator } = refusing(isRefused);
      const all = createPlants(creator, input(numbered(60)), { concurrency, maxWaitMs: 30_000, clock });
      const { list, thrown } = await clock.until(collect(all));
      expect(thrown).toBe("nothing");
      expect(okOf(list)).toEqual(numbered(60).map(({ id }) => !isRefused(Number(id))));
      for (const result of list) if (!result.ok) expect(result).toMatchObject({ outcome: "rejected" });
      // The last pause, of at most 8 s, would end later.
      expect(clock.now()).toBeGreaterThan(3_622_000);
    },
  );

  test("lets two others go first after its third refusal", async () => {
    const clock = new TestClock();
    const { creator, sent } = refusing((id) => id === 1);
    await clock.until(collect(createPlants(creator, numbered(9), { concurrency: 1, maxWaitMs: 30_000, clock })));
    expect(sent.slice(0, 7)).toEqual([0, 1, 1, 1, 2, 3, 1]);
  });

  test("sends it again at once if the input has no other to offer yet", async () => {
    const clock = new TestClock();
    const { creator, sent } = refusing((id) => id === 0);
    const input = (async function* () {
      yield* numbered(1);
      await new Promise(() => {});
    })();
    const all = createPlants(creator, input, { maxWaitMs: 10_000, clock });
    expect(await clock.until(collect(all))).toMatchObject({ thrown: { status: 429 } });
    expect(sent.length).toBeGreaterThan(5);
  });
});

describe("a service that refuses every request", () => {
  test("ends the run after maxWaitMs: each plant gets its refusal, then the last refusal's error is thrown", async () => {
    const { list, thrown, clock, ids } = await run(Array(50).fill(refusal(10_000)), 9, {
      ...{ concurrency: 2, maxWaitMs: 60_000 },
    });
    expect(thrown).toMatchObject({ kind: "api", status: 429, retryAfterMs: 10_000 });
    expect(clock.now()).toBe(70_000);
    for (const { outcome } of list) expect(outcome).toBe("rejected");
    expect(list.reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(ids.length);
    expect(list.map(({ error }) => error)).toContain(thrown);
  });

  test.each([0, 2])("or is out of reach, with maxRetries of %i, ends the run too", async (maxRetries) => {
    const { list, thrown, clock } = await run(Array(50).fill(unsent()), 40, {
      ...{ concurrency: 1, maxRetries, maxWaitMs: 60_000 },
    });
    expect(thrown).toMatchObject({ kind: "connection", outcome: "not-sent" });
    // The try after the last pause of 8 s.
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
    expect(clock.now()).toBeLessThan(68_000);
    // Each try is that of a plant that has not failed.
    expect(list.map(({ outcome, attempts }) => [outcome, attempts.length])).toEqual(list.map(() => ["not-sent", 1]));
  });

  test("ends the run after maxWaitMs, not after twice that, with timers that are late as those of a runtime", async () => {
    class LateClock extends TestClock {
      override after(ms: number, callback: () => void) {
        return super.after(ms + 1, callback);
      }
    }
    const clock = new LateClock();
    const { creator } = scripted(clock, ...Array(200).fill(refusal(1_000)));
    const { thrown } = await clock.until(collect(createPlants(creator, numbered(9), { maxWaitMs: 60_000, clock })));
    expect(thrown).toMatchObject({ status: 429 });
    expect(clock.now()).toBeLessThan(70_000);
  });

  test.each([
    ["ten minutes", undefined, 600_001, 600_000],
    ["maxWaitMs", 5_000, 5_001, 5_000],
    ["nothing", 0, 1, 0],
  ])("and asks for more than %s ends it at once", async (_, maxWaitMs, tooLong, longest) => {
    // Zero alone would be a pause of our own, which is longer than nothing.
    const steps = (retryAfterMs: number) => [success({ id: 0, name: "first" }), refusal(retryAfterMs)];
    const ended = await run(steps(tooLong), 2, { concurrency: 1, maxWaitMs });
    expect(ended).toMatchObject({ thrown: { retryAfterMs: tooLong }, ids: [0, 1] });
    const waited = await run(steps(longest), 2, { concurrency: 1, maxWaitMs });
    expect(waited).toMatchObject({ thrown: "nothing", ids: [0, 1, 1] });
  });

  test.each([
    ["created", success({ id: 0, name: "x" })],
    ["found invalid by the service", refusal(undefined, 400)],
  ])("is waited for anew after each plant that was %s", async (_, admitted) => {
    const steps: CreatePlantResult[] = Array.from({ length: 20 }, (_, i) => (i % 2 ? admitted : refusal(4_000)));
    const { list, thrown } = await run(steps, 10, { concurrency: 1, maxWaitMs: 5_000 });
    expect({ thrown, count: list.length }).toEqual({ thrown: "nothing", count: 10 });
  });
});

describe("a process that was suspended for longer than maxWaitMs", () => {
  test("while a request was in flight: what fails afterwards is sent again first", async () => {
    const clock = new TestClock();
    const late = new Promise<void>((resolve) => void clock.after(100_000, resolve));
    const { creator } = scripted(
      clock,
      refusal(1_000),
      late.then(() => refusal(1_000)),
    );
    const { list, thrown } = await clock.until(
      collect(createPlants(creator, numbered(2), { concurrency: 1, maxWaitMs: 60_000, clock })),
    );
    expect({ thrown, ok: okOf(list) }).toEqual({ thrown: "nothing", ok: [true, true] });
  });

  test("in a pause: the time does not count", async () => {
    const clock = new TestClock();
    const { creator } = scripted(clock, success({ id: 0, name: "x" }), refusal(1_000), refusal(1_000), refusal(1_000));
    const collected = collect(createPlants(creator, numbered(3), { concurrency: 2, maxWaitMs: 60_000, clock }));
    await clock.sleep(100_000);
    const { list, thrown } = await clock.until(collected);
    expect({ thrown, ok: okOf(list) }).toEqual({ thrown: "nothing", ok: [true, true, true] });
  });
});

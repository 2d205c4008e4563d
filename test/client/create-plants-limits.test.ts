import {
  type CreatePlantResult,
  createPlants,
  type NewPlant,
  PlantStoreApiError,
  PlantStoreConnectionError,
  PlantStoreResponseError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { attempt, numbered, refusal, scripted, success } from "./fixtures/creators.ts";
import { TestClock } from "./fixtures/test-clock.ts";

describe("a plant that the service refuses", () => {
  test.each([429, 503])("with %i is sent again when Retry-After has passed, and no other before", async (status) => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, refusal(3_000, status));
    const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(3), { concurrency: 1, clock })));
    expect(thrown).toBe("nothing");
    expect(list.map(({ ok, index }) => ({ ok, index }))).toEqual([0, 1, 2].map((index) => ({ ok: true, index })));
    expect(sent.map(({ id }) => id)).toEqual([0, 0, 1, 2]);
    expect(sent[1]?.at).toBeGreaterThanOrEqual(3_000);
  });

  test("has the attempts of all its tries, numbered from 1", async () => {
    const clock = new TestClock();
    const refused = refusal(1_000);
    const two = [...refused.attempts, attempt({ number: 2, status: 429, reason: "status" })];
    const { creator } = scripted(clock, { ...refused, attempts: two }, refusal(1_000));
    const { list } = await clock.until(collect(createPlants(creator, numbered(1), { clock })));
    expect(list[0]?.attempts.map(({ number, status }) => [number, status])).toEqual([
      [1, 429],
      [2, 429],
      [3, 429],
      [4, 200],
    ]);
  });

  test("is first in the queue again, in the order of the input", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, refusal(1_000), refusal(1_000), refusal(1_000));
    await clock.until(collect(createPlants(creator, numbered(5), { concurrency: 3, clock })));
    expect(sent.map(({ id }) => id)).toEqual([0, 1, 2, 0, 1, 2, 3, 4]);
  });

  test("waits for the latest Retry-After of several", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, refusal(9_000), refusal(1_000), refusal());
    await clock.until(collect(createPlants(creator, numbered(3), { clock })));
    expect(sent).toHaveLength(6);
    for (const { at } of sent.slice(3)) expect(at).toBeGreaterThanOrEqual(9_000);
  });

  test("without Retry-After is sent again after a pause that doubles up to eight seconds", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, ...Array.from({ length: 8 }, () => refusal()));
    await clock.until(collect(createPlants(creator, numbered(1), { clock })));
    expect(sent.map(({ at }) => at)).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 15_750, 23_750, 31_750]);
  });

  test("waits for weeks if asked to: a wait that long consists of several timers", async () => {
    const clock = new TestClock();
    const month = 30 * 86_400_000;
    const { creator, sent } = scripted(clock, refusal(month));
    await clock.until(collect(createPlants(creator, numbered(1), { maxWaitMs: Number.POSITIVE_INFINITY, clock })));
    expect(sent.map(({ at }) => at)).toEqual([0, month]);
    expect(Math.max(...clock.waits)).toBe(2 ** 31 - 1);
  });

  test("with an outcome of unknown is not sent again: another attempt may have created it", async () => {
    const clock = new TestClock();
    const refused = refusal(1_000);
    Reflect.defineProperty(refused.error, "outcome", { value: "unknown" });
    const { creator, sent } = scripted(clock, refused);
    const { list } = await clock.until(collect(createPlants(creator, numbered(1), { clock })));
    expect(list[0]).toMatchObject({ ok: false, error: { outcome: "unknown" } });
    expect(sent).toHaveLength(1);
  });
});

describe("while plants wait for their turn", () => {
  test("an abort ends the wait at once: each plant gets its last refusal, then the reason is thrown", async () => {
    const clock = new TestClock();
    const controller = new AbortController();
    const { creator, sent } = scripted(clock, refusal(60_000), refusal(60_000));
    const collected = collect(createPlants(creator, numbered(9), { concurrency: 2, signal: controller.signal, clock }));
    await clock.advance(10_000);
    controller.abort("stop");
    const { list, thrown } = await collected;
    expect(thrown).toBe("stop");
    expect(list.map(({ index }) => index)).toEqual([0, 1]);
    for (const result of list) {
      expect(result).toMatchObject({ ok: false, error: { kind: "api", status: 429, outcome: "rejected" } });
    }
    expect(sent).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  test("leaving the loop ends the wait at once", async () => {
    const clock = new TestClock();
    const { creator } = scripted(clock, refusal(60_000));
    const results = createPlants(creator, numbered(3), { clock });
    expect((await results.next()).value).toMatchObject({ ok: true });
    expect(clock.pending).toBe(1);
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(clock.pending).toBe(0);
  });

  test("an input that throws ends the run: each plant gets its last refusal, then the error is thrown", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, refusal(60_000));
    let fail: (error: Error) => void = () => {};
    async function* input() {
      yield* numbered(1);
      await new Promise((_, reject) => {
        fail = reject;
      });
    }
    const collected = collect(createPlants(creator, input(), { concurrency: 2, clock }));
    await clock.advance(1_000);
    fail(new Error("line 2"));
    const { list, thrown } = await collected;
    expect(thrown).toMatchObject({ message: "line 2" });
    expect(list).toMatchObject([{ ok: false, error: { status: 429 } }]);
    expect(sent).toHaveLength(1);
  });

  test("a creator that rejects ends the run, and a plant that was refused gets its refusal", async () => {
    const clock = new TestClock();
    const { creator } = scripted(clock, refusal(60_000), new Error("no client"));
    const { list, thrown } = await clock.until(collect(createPlants(creator, numbered(9), { concurrency: 2, clock })));
    expect(thrown).toMatchObject({ message: "no client" });
    expect(list).toMatchObject([{ index: 0, ok: false, error: { status: 429 } }]);
  });

  test("a plant that a slow input yields in the meantime is reported as not sent", async () => {
    const clock = new TestClock();
    const controller = new AbortController();
    const { creator, sent } = scripted(clock, refusal(60_000));
    let give: () => void = () => {};
    async function* input() {
      const [first, second] = numbered(2) as [NewPlant, NewPlant];
      yield first;
      await new Promise<void>((resolve) => {
        give = resolve;
      });
      yield second;
    }
    const collected = collect(createPlants(creator, input(), { concurrency: 2, signal: controller.signal, clock }));
    await clock.advance(1_000);
    give();
    await clock.advance(1_000);
    controller.abort("stop");
    const { list } = await collected;
    expect(list).toMatchObject([
      { index: 0, ok: false, error: { kind: "api", outcome: "rejected" } },
      {
        index: 1,
        ok: false,
        error: {
          kind: "aborted",
          outcome: "not-sent",
          message: "The plant was not sent: the run ended before its turn",
          cause: "stop",
        },
        attempts: [],
      },
    ]);
    expect(sent).toHaveLength(1);
  });
});

describe("a service that refuses some plants each time", () => {
  /** A creator that refuses certain plants, and records the ids that it receives. */
  function refusing(isRefused: (id: number) => boolean, retryAfterMs: (time: number) => number = () => 1_000) {
    const sent: number[] = [];
    const tryCreatePlant = async ({ id, name }: NewPlant) => {
      sent.push(Number(id));
      const times = sent.filter((one) => one === id).length;
      return isRefused(Number(id)) ? refusal(retryAfterMs(times)) : success({ id, name });
    };
    return { creator: { tryCreatePlant }, sent };
  }

  test.each([
    ["one of an array", 1, (id: number) => id === 5, (all: NewPlant[]) => all],
    ["one of an array", 16, (id: number) => id === 5, (all: NewPlant[]) => all],
    ["a tenth of an array", 4, (id: number) => id % 10 === 5, (all: NewPlant[]) => all],
    [
      "one of an async generator",
      1,
      (id: number) => id === 5,
      async function* (all: NewPlant[]) {
        yield* all;
      },
    ],
  ])(
    "%s, %i at once, creates all others, and each refused one fails after maxWaitMs",
    async (_, concurrency, isRefused, input) => {
      const clock = new TestClock();
      // A process that is older than maxWaitMs.
      await clock.advance(3_600_000);
      const { creator } = refusing(isRefused);
      const run = createPlants(creator, input(numbered(60)), { concurrency, maxWaitMs: 30_000, clock });
      const { list, thrown } = await clock.until(collect(run));
      expect(thrown).toBe("nothing");
      expect(list).toHaveLength(60);
      for (const result of list) {
        expect(result.ok).toBe(!isRefused(result.index));
        if (!result.ok) expect(result.error).toMatchObject({ status: 429, outcome: "rejected" });
      }
      // The last pause, of at most 8 s, would end later.
      expect(clock.now()).toBeGreaterThan(3_622_000);
    },
  );

  test("lets others go first also while several of them are in flight", async () => {
    const clock = new TestClock();
    let refused = 0;
    let created = 0;
    const creator = {
      async tryCreatePlant(plant: NewPlant) {
        if (plant.id === 0) {
          if (created < 59) refused++;
          return refusal(1_000);
        }
        await new Promise<void>((resolve) => void clock.after(5_000, resolve));
        created++;
        return success(plant);
      },
    };
    await clock.until(collect(createPlants(creator, numbered(60), { concurrency: 8, maxWaitMs: 600_000, clock })));
    expect(refused).toBeLessThan(20);
  });

  test("ends the run if it asks for a wait longer than maxWaitMs, because that concerns all", async () => {
    const clock = new TestClock();
    const { creator } = refusing(
      (id) => id === 0,
      (time) => (time < 3 ? 1_000 : 60_000),
    );
    const run = createPlants(creator, numbered(9), { concurrency: 2, maxWaitMs: 5_000, clock });
    const { thrown } = await clock.until(collect(run));
    expect(thrown).toMatchObject({ status: 429, retryAfterMs: 60_000 });
  });

  test("sends it less and less often while there are others", async () => {
    const clock = new TestClock();
    const { creator, sent } = refusing((id) => id === 5);
    await clock.until(collect(createPlants(creator, numbered(60), { concurrency: 1, maxWaitMs: 30_000, clock })));
    const beforeLast = sent.slice(0, sent.indexOf(59));
    expect(beforeLast.filter((id) => id === 5).length).toBeLessThan(12);
    // After the third refusal one other goes first, then two, then four.
    expect(sent.slice(5, 18)).toEqual([5, 5, 5, 6, 5, 7, 8, 5, 9, 10, 11, 12, 5]);
  });

  test("sends it at once if the input has no other to offer yet", async () => {
    const clock = new TestClock();
    const { creator, sent } = refusing((id) => id === 0);
    const input = (async function* () {
      yield* numbered(1);
      await new Promise(() => {});
    })();
    const run = createPlants(creator, input, { maxWaitMs: 10_000, clock });
    expect(await clock.until(collect(run))).toMatchObject({ thrown: { status: 429 } });
    expect(sent.length).toBeGreaterThan(5);
  });
});

describe("a service that refuses every request", () => {
  test("ends the run after maxWaitMs: each plant gets its refusal, then the last refusal's error is thrown", async () => {
    const clock = new TestClock();
    const refusals = Array.from({ length: 50 }, () => refusal(10_000));
    const { creator, sent } = scripted(clock, ...refusals);
    const run = collect(createPlants(creator, numbered(9), { concurrency: 2, maxWaitMs: 60_000, clock }));
    const { list, thrown } = await clock.until(run);
    expect(thrown).toBeInstanceOf(PlantStoreApiError);
    expect(thrown).toMatchObject({ status: 429, retryAfterMs: 10_000 });
    expect(clock.now()).toBe(60_000);
    expect(list.map(({ index, ok }) => ({ index, ok }))).toEqual([
      { index: 0, ok: false },
      { index: 1, ok: false },
    ]);
    expect(list.reduce((sum, { attempts }) => sum + attempts.length, 0)).toBe(sent.length);
    expect(list.some((result) => !result.ok && result.error === thrown)).toBe(true);
    for (const result of list) if (!result.ok) expect(result.error.attempts).toEqual(result.attempts);
  });

  test.each([
    ["ten minutes", undefined, 600_001, 600_000],
    ["maxWaitMs", 5_000, 5_001, 5_000],
    ["nothing", 0, 1, 0],
  ])("and asks for more than %s ends it at once", async (_, maxWaitMs, tooLong, longest) => {
    for (const [retryAfterMs, ends] of [
      [tooLong, true],
      [longest, false],
    ] as const) {
      const clock = new TestClock();
      // Zero alone would be a pause of our own, which is longer than nothing.
      const { creator, sent } = scripted(clock, success({ id: 0, name: "first" }), refusal(retryAfterMs));
      const run = collect(createPlants(creator, numbered(2), { concurrency: 1, maxWaitMs, clock }));
      const { thrown } = await clock.until(run);
      if (ends) expect(thrown).toMatchObject({ retryAfterMs });
      else expect(thrown).toBe("nothing");
      expect(sent).toHaveLength(ends ? 2 : 3);
    }
  });

  test.each([
    ["created", success({ id: 0, name: "x" })],
    ["found invalid by the service", refusal(undefined, 400)],
  ])("is waited for anew after each plant that was %s", async (_, admitted) => {
    const clock = new TestClock();
    const steps = Array.from({ length: 20 }, (_, i) => (i % 2 ? admitted : refusal(4_000)));
    const { creator } = scripted(clock, ...steps);
    const run = collect(createPlants(creator, numbered(10), { concurrency: 1, maxWaitMs: 5_000, clock }));
    const { list, thrown } = await clock.until(run);
    expect(thrown).toBe("nothing");
    expect(list).toHaveLength(10);
  });

  test("is waited for anew after a plant that was found invalid while another was refused", async () => {
    const clock = new TestClock();
    const { creator } = scripted(clock, refusal(4_000), refusal(undefined, 400), refusal(4_000));
    const run = collect(createPlants(creator, numbered(2), { concurrency: 2, maxWaitMs: 5_000, clock }));
    const { list, thrown } = await clock.until(run);
    expect(thrown).toBe("nothing");
    expect(list).toMatchObject([
      { index: 1, ok: false },
      { index: 0, ok: true },
    ]);
  });

  test("is waited for without the time in which the input had no plant", async () => {
    const clock = new TestClock();
    const lost = attempt({ reason: "network" });
    const error = new PlantStoreConnectionError({ message: "reset", outcome: "unknown", attempts: [lost] });
    const reset: CreatePlantResult = { ok: false, error, attempts: [lost] };
    const { creator, sent } = scripted(clock, refusal(1_000), reset, refusal(1_000));
    const input = (async function* () {
      yield { id: 0, name: "first" };
      await new Promise<void>((resolve) => clock.after(3_600_000, resolve));
      yield { id: 1, name: "second" };
    })();
    const { list, thrown } = await clock.until(collect(createPlants(creator, input, { maxWaitMs: 60_000, clock })));
    expect(thrown).toBe("nothing");
    expect(list).toMatchObject([{ ok: false }, { ok: true }]);
    expect(sent.map(({ at }) => at)).toEqual([0, 1_000, 3_600_000, 3_601_000]);
  });

  test("is waited for without the time in which the machine was asleep", async () => {
    const clock = new TestClock();
    const { creator, sent } = scripted(clock, refusal(1_000), refusal(1_000));
    const run = collect(createPlants(creator, numbered(1), { maxWaitMs: 60_000, clock }));
    await clock.advance(500);
    await clock.sleep(3_600_000);
    const { list, thrown } = await clock.until(run);
    expect(thrown).toBe("nothing");
    expect(list).toMatchObject([{ ok: true }]);
    expect(sent).toHaveLength(3);
  });

  test("and returns an unexpected body gives a PlantStoreResponseError", async () => {
    const clock = new TestClock();
    const attempts = [attempt({ status: 429, reason: "status" })];
    const fields = { status: 429, headers: new Headers(), bodyText: "", reason: "status" as const, attempts };
    const error = new PlantStoreResponseError({
      message: "refused",
      outcome: "rejected",
      retryAfterMs: 9_000,
      ...fields,
    });
    const { creator } = scripted(clock, { ok: false, error, attempts });
    const { thrown } = await clock.until(collect(createPlants(creator, numbered(1), { maxWaitMs: 1_000, clock })));
    expect(thrown).toBe(error);
  });
});

import { type CreatePlantResult, createPlants, type NewPlant, PlantStoreTokenError } from "plant-store-client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { type Creator, counted, immediate, numbered, refusal, success } from "./fixtures/creators.ts";
import { flush } from "./fixtures/test-clock.ts";

const unhandled: unknown[] = [];
const note = (error: unknown) => unhandled.push(error);
beforeEach(() => void process.on("unhandledRejection", note));
afterEach(async () => {
  await flush();
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

const mine = new Error("mine");
const fail = (): never => {
  throw mine;
};
const unreadable = new Proxy({}, { get: fail, getPrototypeOf: fail, ownKeys: fail, has: fail });
const revoked = () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const withGetter = (value: object, name: string) =>
  Object.defineProperty({ ...value }, name, { get: fail, enumerable: true });
/** A promise of somebody else. */
const thenable = (then: unknown) => ({ then });
const { error, ...failure } = refusal(0);
const created = success({ id: 1, name: "Fern" });

describe("a creator that throws", () => {
  test.each<[string, unknown]>([
    ["an error", mine],
    ["nothing", undefined],
    ["null", null],
    ["a text", "mine"],
    ["a symbol", Symbol("mine")],
    ["a function", fail],
    ["an object without a prototype", Object.create(null)],
    ["an object that cannot be read", unreadable],
    ["a revoked proxy", revoked()],
    ["an error without a readable message", withGetter(new Error(), "message")],
    ["an error of this library", new PlantStoreTokenError({ message: "no token" })],
  ])("%s, at once or later, ends the run with it", async (_, thrown) => {
    const throwIt = () => {
      throw thrown;
    };
    for (const tryCreatePlant of [throwIt, async () => throwIt()]) {
      const { input, seen } = counted(numbered(9));
      const run = collect(createPlants({ tryCreatePlant } as Creator, input, { concurrency: 2 }));
      const { list, thrown: received } = await run;
      expect(Object.is(received, thrown)).toBe(true);
      expect(list.map(({ outcome }) => outcome)).toEqual(list.map(() => "unknown"));
      expect(seen).toEqual({ pulled: list.length, closed: 1 });
    }
  });
});

describe("a creator that resolves to", () => {
  test.each<[string, unknown]>([
    ["a number", 7],
    ["a symbol", Symbol("mine")],
    ["a revoked proxy", revoked()],
    ["what cannot be read", unreadable],
    ["a result whose ok cannot be read", withGetter(created, "ok")],
    ["a result whose plant cannot be read", withGetter(created, "plant")],
    ["a result whose attempts cannot be read", withGetter(created, "attempts")],
    ["a result whose attempts are revoked", { ...created, attempts: revoked() }],
    ["a failure whose error cannot be read", { ...failure, error: unreadable }],
    ["a failure whose error is revoked", { ...failure, error: revoked() }],
    ["a failure whose error is a function", { ...failure, error: fail }],
    ["a promise whose then throws", thenable(fail)],
    [
      "a promise that rejects twice",
      thenable((_: unknown, reject: (error: Error) => void) => [reject(mine), reject(mine)]),
    ],
  ])("%s ends the run, and its plant may exist", async (_, resolved) => {
    // Not async, which would take a `then` apart itself. After a refusal, when the attempts of both tries are added up.
    const steps = [refusal(0)];
    const tryCreatePlant = () => (steps.shift() ?? resolved) as never;
    const { list, thrown } = await collect(createPlants({ tryCreatePlant }, numbered(1)));
    expect(list.map(({ outcome }) => outcome)).toEqual(["unknown"]);
    expect(thrown === mine || thrown instanceof TypeError).toBe(true);
  });

  test.each<[string, unknown]>([
    ["a result, without a promise", created],
    [
      "a result, and then another one",
      thenable((resolve: (result: CreatePlantResult) => void) => [resolve(created), resolve(refusal(0))]),
    ],
  ])("%s creates the plant", async (_, resolved) => {
    const { list, thrown } = await collect(createPlants({ tryCreatePlant: () => resolved as never }, numbered(2)));
    expect({ thrown, ok: list.map(({ ok }) => ok) }).toEqual({ thrown: "nothing", ok: [true, true] });
  });
});

const iterable = (next: () => unknown) => ({ [Symbol.iterator]: () => ({ next, return: () => fail() }) });
const later = (next: () => unknown) => ({ [Symbol.asyncIterator]: () => ({ next, return: () => fail() }) });

describe("an input", () => {
  test.each<[string, () => object]>([
    ["throws", () => iterable(fail)],
    ["rejects", () => later(async () => fail())],
    ["throws instead of rejecting", () => later(fail)],
    ["gives a promise whose then throws", () => later(() => thenable(fail))],
    ["gives what cannot be read", () => iterable(() => unreadable)],
    ["gives a result without a readable end", () => iterable(() => withGetter({}, "done"))],
    ["gives a result without a readable plant", () => iterable(() => withGetter({ done: false }, "value"))],
    ["has a list with a place that cannot be read", () => Object.defineProperty([], 0, { get: fail })],
    [
      "throws in the middle of a generator",
      () =>
        (function* () {
          yield* numbered(3);
          fail();
        })(),
    ],
    [
      "throws in the middle of an async generator",
      () =>
        (async function* () {
          yield* numbered(3);
          fail();
        })(),
    ],
  ])("that %s ends the run with its error", async (_, input) => {
    const { thrown } = await collect(createPlants(immediate, input() as Iterable<NewPlant>, { concurrency: 2 }));
    expect(thrown).toBe(mine);
  });

  test.each<[string, () => object]>([
    ["has no next", () => ({ [Symbol.iterator]: () => ({}) })],
    ["gives a revoked proxy", () => iterable(() => revoked())],
    ["gives a symbol", () => iterable(() => Symbol("mine"))],
  ])("that %s ends the run with a TypeError", async (_, input) => {
    const { thrown } = await collect(createPlants(immediate, input() as Iterable<NewPlant>));
    expect(thrown).toBeInstanceOf(TypeError);
  });

  test("that cannot be opened throws at once", () => {
    expect(() => createPlants(immediate, { [Symbol.iterator]: fail })).toThrow(mine);
    expect(() => createPlants(immediate, { [Symbol.asyncIterator]: fail })).toThrow(mine);
  });
});

describe("leaving a run", () => {
  type Results = ReturnType<typeof createPlants>;
  const ways: Record<string, (results: Results, controller: AbortController) => Promise<unknown>> = {
    async break(results) {
      for await (const _ of results) break;
    },
    async "return of the function"(results) {
      for await (const result of results) return result;
      return undefined;
    },
    async "an error in the loop"(results) {
      for await (const _ of results) fail();
    },
    async "an await that rejects in the loop"(results) {
      for await (const _ of results) await Promise.reject(mine);
    },
    async "a signal"(results, controller) {
      for await (const _ of results) controller.abort(mine);
    },
    async "a signal, then break"(results, controller) {
      for await (const _ of results) {
        controller.abort(mine);
        break;
      }
    },
    "return() before the first next()": async (results) => results.return?.(),
    "return() twice": async (results) => [
      await results.next(),
      await Promise.all([results.return?.(), results.return?.()]),
    ],
    "return() while next() is pending": async (results) => Promise.all([results.next(), results.return?.()]),
    "throw()": async (results) => [await results.next(), await results.throw?.(mine)],
    async "a generator that delegates"(results) {
      const outer = (async function* () {
        yield* results;
      })();
      await outer.next();
      await outer.return(undefined);
    },
  };
  test.each(Object.keys(ways))("by %s aborts what is in flight, closes the input once, and ends", async (name) => {
    const controller = new AbortController();
    const { input, seen } = counted(numbered(99));
    let inFlight = 0;
    const tryCreatePlant: Creator["tryCreatePlant"] = async (plant, options) => {
      if (plant.id === 0) return created;
      inFlight++;
      await new Promise((resolve) => options?.signal?.addEventListener("abort", resolve));
      inFlight--;
      return created;
    };
    const results = createPlants({ tryCreatePlant }, input, { concurrency: 3, signal: controller.signal });
    const thrown = await ways[name]?.(results, controller).then(
      () => undefined,
      (error) => error,
    );
    expect([undefined, mine]).toContain(thrown);
    expect({ inFlight, closed: seen.closed }).toEqual({ inFlight: 0, closed: 1 });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});

test("a creator that ends only with its signal ends the run with the reason", async () => {
  const controller = new AbortController();
  const tryCreatePlant: Creator["tryCreatePlant"] = (_, options) =>
    new Promise((_resolve, reject) => options?.signal?.addEventListener("abort", () => reject(options.signal?.reason)));
  const run = collect(createPlants({ tryCreatePlant }, numbered(9), { concurrency: 2, signal: controller.signal }));
  await flush();
  controller.abort(mine);
  const { list, thrown } = await run;
  expect(thrown).toBe(mine);
  expect(list.map(({ outcome }) => outcome)).toEqual(["unknown", "unknown"]);
});

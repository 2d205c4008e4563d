import { getEventListeners } from "node:events";
import { Readable } from "node:stream";
import { runInNewContext } from "node:vm";
import {
  type CreatePlantResult,
  createPlants,
  type NewPlant,
  type PlantCreator,
  PlantStoreConfigError,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { created, refused } from "./fixtures/replies.ts";
import { never, setup } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";

type Creator = Pick<PlantCreator, "tryCreatePlant">;
const numbered = (count: number): NewPlant[] => Array.from({ length: count }, (_, id) => ({ id, name: `Plant ${id}` }));

const success = ({ name }: NewPlant): CreatePlantResult => ({
  ok: true,
  plant: { name },
  status: 200,
  headers: new Headers(),
  attempts: [],
});

/** A creator whose every call is settled by the test. */
function heldCreator() {
  const held = new Map<number | bigint, () => void>();
  const signals: (AbortSignal | undefined)[] = [];
  const creator: Creator = {
    tryCreatePlant: (plant, options) =>
      new Promise((resolve) => {
        signals.push(options?.signal);
        held.set(plant.id, () => resolve(success(plant)));
      }),
  };
  return { creator, signals, started: () => [...held.keys()], finish: (id: number) => held.get(id)?.() };
}
const immediate: Creator = { tryCreatePlant: async (plant) => success(plant) };

/** An input that counts how often it is asked, and whether it is closed. */
function counted(plants: NewPlant[]) {
  const seen = { pulled: 0, closed: 0 };
  const iterator: Iterator<NewPlant> & Iterable<NewPlant> = {
    [Symbol.iterator]: () => iterator,
    next: () => {
      const value = plants[seen.pulled++];
      return value ? { done: false, value } : { done: true, value: undefined };
    },
    return: () => {
      seen.closed++;
      return { done: true, value: undefined };
    },
  };
  return { input: iterator, seen };
}

test("each result carries its plant and its place in the input", async () => {
  const plants = numbered(5);
  const { list, thrown } = await collect(createPlants(immediate, plants));
  expect(thrown).toBe("nothing");
  expect(list.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
  for (const { index, input, ...result } of list) {
    expect(input).toBe(plants[index]);
    expect(result).toMatchObject({ ok: true, plant: { name: `Plant ${index}` } });
  }
});

test("a client creates the plants, and a refused one does not stop the others", async () => {
  const { client } = setup([created(), refused(400), created()]);
  const { list } = await collect(createPlants(client, [...numbered(3), { id: 1.5, name: "bad" }]));
  const byIndex = list.sort((a, b) => a.index - b.index);
  expect(byIndex.map((result) => (result.ok ? "ok" : result.error.kind))).toEqual(["ok", "api", "ok", "input"]);
});

test("an empty input gives no result", async () => {
  expect(await collect(createPlants(immediate, []))).toEqual({ list: [], thrown: "nothing" });
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

test("it is an async iterable iterator, which gives itself", () => {
  const results = createPlants(immediate, []);
  expect(results[Symbol.asyncIterator]()).toBe(results);
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

  test("one after the other if the concurrency is 1, in the order of the input", async () => {
    const { list } = await collect(createPlants(immediate, numbered(10), { concurrency: 1 }));
    expect(list.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
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

describe("a signal", () => {
  test("that is aborted before sends nothing, and its reason is thrown", async () => {
    const { input, seen } = counted(numbered(3));
    const { list, thrown } = await collect(createPlants(immediate, input, { signal: AbortSignal.abort("no") }));
    expect({ list, thrown, pulled: seen.pulled }).toEqual({ list: [], thrown: "no", pulled: 0 });
  });

  test("aborts the plants in flight, gives each result, then throws its reason", async () => {
    const { client, posts } = setup(Array.from({ length: 3 }, () => () => never<Response>()));
    const controller = new AbortController();
    const { input, seen } = counted(numbered(50));
    const collected = collect(createPlants(client, input, { concurrency: 3, signal: controller.signal }));
    await flush();
    const reason = new Error("Ctrl-C");
    controller.abort(reason);
    const { list, thrown } = await collected;
    expect(thrown).toBe(reason);
    expect(list.map(({ index }) => index).sort()).toEqual([0, 1, 2]);
    for (const result of list) {
      expect(result).toMatchObject({ ok: false, error: { kind: "aborted", outcome: "unknown", cause: reason } });
    }
    expect(posts).toHaveLength(3);
    expect(seen).toEqual({ pulled: 3, closed: 1 });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("still gives results that were not yet consumed", async () => {
    const controller = new AbortController();
    const results = createPlants(immediate, numbered(100), { concurrency: 4, signal: controller.signal });
    const first = await results.next();
    controller.abort("stop");
    const { list, thrown } = await collect(results);
    expect(thrown).toBe("stop");
    expect([first.value, ...list].map((result) => result?.index)).toEqual([0, 1, 2, 3]);
  });

  test("ends a wait for an input that never gives another plant", async () => {
    const controller = new AbortController();
    let closed = 0;
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () => never<IteratorResult<NewPlant>>(),
        return: () => {
          closed++;
          return never<IteratorResult<NewPlant>>();
        },
      }),
    };
    const collected = collect(createPlants(immediate, input, { signal: controller.signal }));
    await flush();
    controller.abort("stop");
    expect(await collected).toEqual({ list: [], thrown: "stop" });
    expect(closed).toBe(1);
  });

  test("stops plants that a slow input yields later from being sent", async () => {
    const controller = new AbortController();
    const sent: (number | bigint)[] = [];
    let finish: () => void = () => {};
    const creator: Creator = {
      tryCreatePlant: async (plant) => {
        sent.push(plant.id);
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
        return success(plant);
      },
    };
    let give: (result: IteratorResult<NewPlant>) => void = () => {};
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise<IteratorResult<NewPlant>>((resolve) => {
            give = resolve;
          }),
      }),
    };
    const collected = collect(createPlants(creator, input, { signal: controller.signal }));
    await flush();
    give({ done: false, value: { id: 1, name: "in time" } });
    await flush();
    controller.abort("stop");
    give({ done: false, value: { id: 2, name: "too late" } });
    await flush();
    finish();
    expect(await collected).toMatchObject({ thrown: "stop", list: [{ index: 0 }] });
    expect(sent).toEqual([1]);
  });

  test("is not masked by an input that fails as it is closed, and nothing is unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    for (const pending of [false, true]) {
      const controller = new AbortController();
      const input = {
        [Symbol.asyncIterator]: () => ({
          next: async () => (pending ? never<never>() : { done: false as const, value: { id: 1, name: "x" } }),
          return: () => Promise.reject(new Error("close")),
        }),
      };
      const collected = collect(
        createPlants({ tryCreatePlant: () => flush().then(() => success({ id: 1, name: "x" })) }, input, {
          signal: controller.signal,
          concurrency: 2,
        }),
      );
      await flush();
      controller.abort("stop");
      expect((await collected).thrown).toBe("stop");
    }
    await flush();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("shared by many runs has one listener", async () => {
    const controller = new AbortController();
    const runs = Array.from({ length: 20 }, () =>
      collect(
        createPlants({ tryCreatePlant: (_, options) => waits(options?.signal) }, numbered(1), {
          signal: controller.signal,
        }),
      ),
    );
    await flush();
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
    controller.abort("all");
    for (const { thrown } of await Promise.all(runs)) expect(thrown).toBe("all");
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("has no listener after a run of several results", async () => {
    const { signal } = new AbortController();
    await collect(createPlants(immediate, numbered(5), { signal }));
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

const waits = (signal: AbortSignal | undefined): Promise<CreatePlantResult> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(success({ id: 1, name: "x" }))));

test("a fake creator may leave out everything but the plant", async () => {
  const fake = { tryCreatePlant: async ({ name }: NewPlant) => ({ ok: true, plant: { name } }) as CreatePlantResult };
  const { list } = await collect(createPlants(fake, numbered(2)));
  expect(list).toMatchObject([{ plant: { name: "Plant 0" } }, { plant: { name: "Plant 1" } }]);
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

describe("leaving the loop early", () => {
  test("aborts the plants in flight, waits for them, and closes the input", async () => {
    const order: string[] = [];
    const creator: Creator = {
      tryCreatePlant: async (plant, options) => {
        if (plant.id === 0) return success(plant);
        await waits(options?.signal);
        await flush();
        order.push("aborted");
        return success(plant);
      },
    };
    const { input, seen } = counted(numbered(100));
    for await (const { index } of createPlants(creator, input, { concurrency: 3 })) {
      order.push(`result ${index}`);
      break;
    }
    order.push("after");
    expect(order).toEqual(["result 0", "aborted", "aborted", "after"]);
    expect(seen).toEqual({ pulled: 3, closed: 1 });
  });

  test("rejects with the error of closing the input, as for await does", async () => {
    const input = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: { id: 1, name: "x" } }),
        return: () => {
          throw new Error("close");
        },
      }),
    };
    const results = createPlants(immediate, input);
    await results.next();
    await expect(results.return?.()).rejects.toMatchObject({ message: "close" });
  });

  test("after an abort does not reject with the error of closing the input", async () => {
    const controller = new AbortController();
    const input = {
      [Symbol.iterator]: () => ({
        next: () => ({ done: false as const, value: { id: 1, name: "x" } }),
        return: () => {
          throw new Error("close");
        },
      }),
    };
    const results = createPlants(immediate, input, { signal: controller.signal });
    await results.next();
    controller.abort("stop");
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
  });

  test("does not need a return() of the input", async () => {
    const next = () => ({ done: false as const, value: { id: 1, name: "x" } });
    const results = createPlants(immediate, { [Symbol.iterator]: () => ({ next }) });
    await results.next();
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
  });

  test("stops plants that a slow input yields later from being sent", async () => {
    const sent: (number | bigint)[] = [];
    const creator: Creator = {
      tryCreatePlant: async (plant) => {
        sent.push(plant.id);
        return success(plant);
      },
    };
    const gives: ((result: IteratorResult<NewPlant>) => void)[] = [];
    const input = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise<IteratorResult<NewPlant>>((resolve) => gives.push(resolve)),
      }),
    };
    const results = createPlants(creator, input, { concurrency: 2 });
    const first = results.next();
    await flush();
    gives[0]?.({ done: false, value: { id: 1, name: "in time" } });
    await first;
    await flush();
    await results.return?.();
    gives[1]?.({ done: false, value: { id: 2, name: "too late" } });
    await flush();
    expect(sent).toEqual([1]);
  });

  test("does not wait for a pending input", async () => {
    const input = {
      async *[Symbol.asyncIterator](): AsyncGenerator<NewPlant> {
        yield { id: 1, name: "x" };
        await never();
      },
    };
    const seen: number[] = [];
    for await (const { index } of createPlants(immediate, input, { concurrency: 2 })) {
      seen.push(index);
      break;
    }
    expect(seen).toEqual([0]);
  });
});

test("a creator that rejects ends the run with its error, after the results of the others", async () => {
  const creator: Creator = {
    tryCreatePlant: async (plant) => {
      if (plant.id === 1) throw new Error("no client");
      return success(plant);
    },
  };
  const { input, seen } = counted(numbered(100));
  const { list, thrown } = await collect(createPlants(creator, input, { concurrency: 3 }));
  expect(thrown).toMatchObject({ message: "no client" });
  expect(list.map(({ index }) => index)).toEqual([0, 2]);
  expect(seen).toEqual({ pulled: 3, closed: 1 });
});

test.each([
  [{ concurrency: 0 }, "concurrency must be an integer from 1 to 9007199254740991"],
  [{ concurrency: 1.5 }, "concurrency must be an integer from 1 to 9007199254740991"],
  [{ concurrency: "4" }, "concurrency must be an integer from 1 to 9007199254740991"],
  [{ signal: {} }, "signal must be an AbortSignal"],
  [{ parallel: 4 }, 'unknown option "parallel"; known options: concurrency, signal'],
])("%j is refused at once: %s", (options, message) => {
  const { input, seen } = counted(numbered(1));
  expect(() => createPlants(immediate, input, options as never)).toThrow(message);
  expect(() => createPlants(immediate, input, options as never)).toThrow(PlantStoreConfigError);
  expect(seen.pulled).toBe(0);
});

describe("the iterator by hand", () => {
  test("return() before the first next() closes the input, and nothing is sent", async () => {
    const { creator, started } = heldCreator();
    const { input, seen } = counted(numbered(3));
    const results = createPlants(creator, input);
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    expect({ ...seen, started: started() }).toEqual({ pulled: 0, closed: 1, started: [] });
  });

  test("return() ends a pending next(), and waits for the plants in flight", async () => {
    const { creator, signals, finish } = heldCreator();
    const { input, seen } = counted(numbered(3));
    const results = createPlants(creator, input, { concurrency: 2 });
    const pending = results.next();
    await flush();
    let returned = false;
    const leaving = results.return?.().then(() => {
      returned = true;
    });
    expect(await pending).toEqual({ done: true, value: undefined });
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    finish(0);
    await flush();
    expect(returned).toBe(false);
    finish(1);
    await leaving;
    expect(seen).toEqual({ pulled: 2, closed: 1 });
    expect(await results.next()).toEqual({ done: true, value: undefined });
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(seen.closed).toBe(1);
  });

  test("results that nobody has asked for yet come before the failure of the input", async () => {
    const input = function* () {
      yield* numbered(2);
      throw new Error("line 3");
    };
    const results = createPlants(immediate, input(), { concurrency: 3 });
    expect(await results.next()).toMatchObject({ value: { index: 0 } });
    await flush();
    expect(await results.next()).toMatchObject({ value: { index: 1 } });
    await expect(results.next()).rejects.toThrow("line 3");
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test("concurrent next() calls get a result each, then the end; a failure is thrown once", async () => {
    const input = function* () {
      yield* numbered(2);
      throw new Error("line 3");
    };
    const results = createPlants(immediate, input());
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => results.next()));
    expect(all).toMatchObject([
      { value: { done: false, value: { index: 0 } } },
      { value: { done: false, value: { index: 1 } } },
      { reason: { message: "line 3" } },
      { value: { done: true } },
    ]);
  });

  test("after an abort, leaving the loop is not another error", async () => {
    const controller = new AbortController();
    const results = createPlants(immediate, numbered(100), { signal: controller.signal });
    await results.next();
    controller.abort("stop");
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test("in a Readable that is destroyed closes the input", async () => {
    const { creator, signals, finish } = heldCreator();
    const { input, seen } = counted(numbered(100));
    const stream = Readable.from(createPlants(creator, input, { concurrency: 2 }));
    stream.once("data", () => {});
    await flush();
    stream.destroy();
    await flush();
    finish(0);
    finish(1);
    await flush();
    expect(stream.destroyed).toBe(true);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
    expect(seen).toEqual({ pulled: 2, closed: 1 });
  });
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

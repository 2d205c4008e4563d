import { getEventListeners } from "node:events";
import { type CreatePlantResult, createPlants, type NewPlant, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { type Creator, counted, heldCreator, immediate, numbered, success } from "./fixtures/creators.ts";
import { never, setup } from "./fixtures/setup.ts";
import { flush, TestClock } from "./fixtures/test-clock.ts";

/** The result of a creator that waits until it is aborted. */
const waits = (signal: AbortSignal | undefined): Promise<CreatePlantResult> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve(success({ id: 1, name: "x" }))));

/** A creator that creates every plant at once, and records the ids. */
function recording() {
  const sent: (number | bigint)[] = [];
  const tryCreatePlant: Creator["tryCreatePlant"] = async (plant) => {
    sent.push(plant.id);
    return success(plant);
  };
  return { creator: { tryCreatePlant }, sent };
}

/** An asynchronous input that yields what the test gives it, and then nothing more. */
function givenInput() {
  const waiting: ((plant: IteratorResult<NewPlant>) => void)[] = [];
  const next = () => new Promise<IteratorResult<NewPlant>>((resolve) => waiting.push(resolve));
  const give = async (id: number) => {
    await flush();
    waiting.shift()?.({ done: false, value: { id, name: "x" } });
    await flush();
  };
  return { input: { [Symbol.asyncIterator]: () => ({ next }) }, give };
}

const endless = () => ({ done: false as const, value: { id: 1, name: "x" } });
const failsToClose = { [Symbol.iterator]: () => ({ next: endless, return: () => JSON.parse("close") }) };

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
    for (const { outcome, error } of list) {
      expect(error).toMatchObject({ kind: "aborted", cause: reason });
      expect(outcome).toBe("unknown");
    }
    expect(posts).toHaveLength(3);
    expect(seen).toEqual({ pulled: 3, closed: 1 });
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  test("ends a wait for an input that never gives another plant", async () => {
    const controller = new AbortController();
    let closed = 0;
    const close = () => {
      closed++;
      return never<IteratorResult<NewPlant>>();
    };
    const input = { [Symbol.asyncIterator]: () => ({ next: () => never<IteratorResult<NewPlant>>(), return: close }) };
    const collected = collect(createPlants(immediate, input, { signal: controller.signal }));
    await flush();
    controller.abort("stop");
    expect(await collected).toEqual({ list: [], thrown: "stop" });
    expect(closed).toBe(1);
  });

  test("stops plants that a slow input yields later from being sent", async () => {
    const controller = new AbortController();
    const { creator, started, finish } = heldCreator();
    const { input, give } = givenInput();
    const collected = collect(createPlants(creator, input, { signal: controller.signal }));
    await give(1);
    controller.abort("stop");
    await give(2);
    finish(1);
    expect(await collected).toMatchObject({ thrown: "stop", list: [{ index: 0 }] });
    expect(started()).toEqual([1]);
  });

  test("is not masked by an input that fails as it is closed, and nothing is unhandled", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    for (const next of [async () => endless(), () => never<never>()]) {
      const controller = new AbortController();
      const close = () => Promise.reject(new Error("close"));
      const input = { [Symbol.asyncIterator]: () => ({ next, return: close }) };
      const creator: Creator = { tryCreatePlant: (_, options) => waits(options?.signal) };
      const collected = collect(createPlants(creator, input, { signal: controller.signal, concurrency: 2 }));
      await flush();
      controller.abort("stop");
      expect((await collected).thrown).toBe("stop");
    }
    await flush();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("is not masked by a creator that rejects afterwards", async () => {
    const controller = new AbortController();
    const tryCreatePlant: Creator["tryCreatePlant"] = async (_, options) => {
      await waits(options?.signal);
      throw new Error("creator");
    };
    const collected = collect(createPlants({ tryCreatePlant }, numbered(1), { signal: controller.signal }));
    await flush();
    controller.abort("stop");
    expect((await collected).thrown).toBe("stop");
  });

  test("is thrown when the input is closed", async () => {
    const controller = new AbortController();
    let isClosed = false;
    const close = async () => {
      await flush();
      isClosed = true;
      return { done: true as const, value: undefined };
    };
    const input = { [Symbol.asyncIterator]: () => ({ next: async () => endless(), return: close }) };
    const results = createPlants(immediate, input, { concurrency: 1, signal: controller.signal });
    await results.next();
    controller.abort("stop");
    expect(await collect(results)).toMatchObject({ thrown: "stop" });
    expect(isClosed).toBe(true);
  });
});

describe("leaving the loop early", () => {
  test("aborts the plants in flight, waits for them, and closes the input", async () => {
    const order: string[] = [];
    const tryCreatePlant: Creator["tryCreatePlant"] = async (plant, options) => {
      if (plant.id === 0) return success(plant);
      await waits(options?.signal);
      await flush();
      order.push("aborted");
      return success(plant);
    };
    const { input, seen } = counted(numbered(100));
    for await (const { index } of createPlants({ tryCreatePlant }, input, { concurrency: 3 })) {
      order.push(`result ${index}`);
      break;
    }
    order.push("after");
    expect(order).toEqual(["result 0", "aborted", "aborted", "after"]);
    expect(seen).toEqual({ pulled: 3, closed: 1 });
  });

  test("rejects with the error of closing the input, as for await does", async () => {
    const results = createPlants(immediate, failsToClose);
    await results.next();
    await expect(results.return?.()).rejects.toThrow(SyntaxError);
  });

  test("does not wait for a pending input, and sends nothing that it yields later", async () => {
    const { creator, sent } = recording();
    const { input, give } = givenInput();
    const results = createPlants(creator, input, { concurrency: 2 });
    const first = results.next();
    await give(1);
    await first;
    await results.return?.();
    await give(2);
    expect(sent).toEqual([1]);
  });
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

  test("concurrent next() calls get a result each, then the failure of the input once, then the end", async () => {
    const input = function* () {
      yield* numbered(2);
      throw new Error("line 3");
    };
    const results = createPlants(immediate, input());
    const all = await Promise.allSettled(Array.from({ length: 4 }, () => results.next()));
    const [first, second, end] = [{ value: { index: 0 } }, { value: { index: 1 } }, { done: true }];
    expect(all).toMatchObject([{ value: first }, { value: second }, { reason: { message: "line 3" } }, { value: end }]);
  });

  test.each([
    ["at once", async () => {}],
    ["when the run is over", flush],
  ])("after an abort, leaving the loop %s is not another error", async (_when, pause) => {
    const controller = new AbortController();
    const results = createPlants(immediate, failsToClose, { signal: controller.signal });
    await results.next();
    controller.abort("stop");
    await pause();
    expect(await results.return?.()).toEqual({ done: true, value: undefined });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });
});

describe("an error of the consumer", () => {
  test("reaches a run that a generator delegates to by yield*: it ends as by return(), and the error is thrown", async () => {
    const { input, seen } = counted(numbered(9));
    async function* delegating() {
      yield* createPlants(immediate, input);
    }
    const results = delegating();
    await results.next();
    await expect(results.throw(new Error("mine"))).rejects.toThrow("mine");
    expect(seen.closed).toBe(1);
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test("is not hidden by one of closing the input", async () => {
    const results = createPlants(immediate, failsToClose);
    await results.next();
    await expect(results.throw?.(new Error("mine"))).rejects.toThrow("mine");
  });
});

describe.each([
  [false, false],
  [false, true],
  [true, false],
  [true, true],
])(
  "a row that cannot be read is an invalid plant, and the run goes on (async: %s, journal: %s)",
  (isAsync, hasJournal) => {
    const unreadable = () => JSON.parse("row 2");
    const revoked = (fields: object) => {
      const { proxy, revoke } = Proxy.revocable(fields, {});
      revoke();
      return proxy;
    };
    class Row {
      name = "Fern";
      get id(): number {
        return unreadable();
      }
    }

    test.each<[string, unknown]>([
      ["a class whose getter throws", new Row()],
      [
        "a plain object whose getter throws",
        Object.defineProperty({ id: 2 }, "name", { get: unreadable, enumerable: true }),
      ],
      [
        "a getter of the tag that throws",
        Object.defineProperty({ id: 2, name: "Fern" }, "tag", { get: unreadable, enumerable: true }),
      ],
      ["a revoked proxy", revoked({ id: 2, name: "Fern" })],
      ["a revoked proxy as the id", { id: revoked({}), name: "Fern" }],
      ["a revoked proxy as the name", { id: 2, name: revoked([]) }],
      ["a revoked proxy as the tag", { id: 2, name: "Fern", tag: revoked({}) }],
    ])("%s", async (_, row) => {
      const { input } = counted([{ id: 1, name: "Fir" }, row as NewPlant, { id: 3, name: "Fig" }]);
      // An async generator would await a proxy, and throw by itself.
      const later = { [Symbol.asyncIterator]: () => ({ next: async () => input.next() }) };
      const client = new PlantStoreClient(createMockPlantStore().clientOptions);
      const journal = hasJournal ? { claim: () => undefined, record() {} } : undefined;
      const { list, thrown } = await collect(createPlants(client, isAsync ? later : input, { journal }));
      expect(thrown).toBe("nothing");
      const results = list.toSorted((one, other) => one.index - other.index);
      expect(results.map(({ outcome, error }) => [outcome, error?.kind])).toEqual([
        [undefined, undefined],
        ["not-sent", "input"],
        [undefined, undefined],
      ]);
    });
  },
);

test("a clock that stands still for the input ends the run", async () => {
  const hold = (what: string, reject: (reason: Error) => void) => {
    queueMicrotask(() => reject(new Error(`it waits for ${what}`)));
    return () => {};
  };
  const results = createPlants(immediate, givenInput().input, { clock: Object.assign(new TestClock(), { hold }) });
  await expect(results.next()).rejects.toThrow("it waits for the input of createPlants");
});

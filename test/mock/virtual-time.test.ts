import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as realTime } from "node:timers/promises";
import { createPlants, type NewPlant, PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import {
  createMockPlantStore,
  type Fault,
  type Fetch,
  faults,
  type MockPlantStoreOptions,
  type VirtualClock,
  type VirtualMockPlantStore,
} from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { createHandlers } from "plant-store-client/mock/msw";
import { setupMockPlantStore } from "plant-store-client/mock/node";
import { afterEach, describe, expect, test, vi } from "vitest";

const PLANT: NewPlant = { id: 7, name: "Aloe" };

afterEach(() => {
  vi.useRealTimers();
});

function setUp(options: MockPlantStoreOptions = {}, clientOptions: PlantStoreClientOptions = {}) {
  const store = createMockPlantStore({ ...options, time: "virtual" });
  return { store, client: new PlantStoreClient({ ...store.clientOptions, ...clientOptions }) };
}

function* numbered(count: number) {
  for (let id = 1; id <= count; id++) yield { id, name: `Plant ${id}` };
}

test("waits that end at the same time end in the order in which they began", async () => {
  const { clock } = createMockPlantStore({ time: "virtual" });
  const ended: string[] = [];
  await Promise.all(["first", "second", "third"].map((name) => clock.sleep(100).then(() => ended.push(name))));
  expect(ended).toEqual(["first", "second", "third"]);
});

test("advance runs the timers of its time, and none after it", async () => {
  const { clock } = createMockPlantStore({ time: "virtual" });
  const release = clock.hold("the test");
  const ended: number[] = [];
  for (const ms of [100, 200, 300]) clock.after(ms, () => ended.push(ms));
  await clock.advance(200);
  expect(ended).toEqual([100, 200]);
  expect(clock.now()).toBe(200);
  release();
});

describe("takes no real time", () => {
  test("Retry-After", async () => {
    const { store, client } = setUp({}, { timeoutMs: 120_000 });
    store.inject(faults.rateLimited(50));
    expect(await client.createPlant(PLANT)).toEqual({ name: "Aloe" });
    expect(store.clock.now()).toBeGreaterThan(50_000);
    expect(store.clock.now()).toBeLessThan(51_000);
  });

  test("the backoff of each retry", async () => {
    const { store, client } = setUp();
    store.inject(faults.connectionRefused(), { times: 2 });
    const result = await client.tryCreatePlant(PLANT);
    expect(result.ok).toBe(true);
    const delays = result.attempts.map(({ delayMs = 0 }) => delayMs);
    expect(store.clock.now()).toBeCloseTo(delays.reduce((sum, delay) => sum + delay));
  });

  test.each<[string, Fault]>([
    ["that hangs", faults.hang()],
    ["whose body stalls", faults.stalledBody()],
    ["that is answered too late", faults.delay(31_000)],
  ])("the deadline of a request %s", async (_, fault) => {
    const { store, client } = setUp();
    store.inject(fault);
    const result = await client.tryCreatePlant(PLANT);
    expect(result).toMatchObject({ ok: false, error: { kind: "timeout", outcome: "unknown" } });
    expect(store.clock.now()).toBe(30_000);
  });

  test("the pace of createPlants at a limit, behind a wrapper of the client too", async () => {
    for (const wraps of [false, true]) {
      const { store, client } = setUp({ rateLimit: { perSecond: 50 } });
      const creator = wraps ? { tryCreatePlant: client.tryCreatePlant.bind(client) } : client;
      let created = 0;
      const options = wraps ? { clock: store.clock } : {};
      for await (const { ok } of createPlants(creator, numbered(300), options)) created += Number(ok);
      expect(created).toBe(300);
      expect(store.clock.now()).toBeGreaterThan(5_000);
      expect(store.clock.now()).toBeLessThan(8_000);
    }
  });

  test("under fake timers of Vitest, which nobody advances", async () => {
    vi.useFakeTimers();
    const { store, client } = setUp({}, { timeoutMs: 120_000 });
    store.inject(faults.rateLimited(50));
    await client.createPlant(PLANT);
    expect(store.clock.now()).toBeGreaterThan(50_000);
  });
});

describe("real time is not overtaken", () => {
  test.each<[string, (store: ReturnType<typeof setUp>["store"]) => PlantStoreClientOptions]>([
    [
      "a token provider",
      ({ token }) => ({
        token: async () => {
          await realTime(30);
          return token;
        },
      }),
    ],
    [
      "a wrapper of mock.fetch, on the way there and back",
      ({ fetch }) => ({
        fetch: async (url, init) => {
          await realTime(30);
          const response = await fetch(url, init);
          await realTime(30);
          return response;
        },
      }),
    ],
    [
      "a body",
      ({ fetch }) => ({
        fetch: async (url, init) => {
          const { status, headers, body } = await fetch(url, init);
          const slowly = new TransformStream({
            transform: async (chunk, controller) => {
              await realTime(30);
              controller.enqueue(chunk);
            },
          });
          return new Response(body?.pipeThrough(slowly) ?? null, { status, headers });
        },
      }),
    ],
  ])("%s", async (_, optionsOf) => {
    const { store } = setUp();
    const client = new PlantStoreClient({ ...store.clientOptions, ...optionsOf(store) });
    await client.createPlant(PLANT);
    expect(store.clock.now()).toBe(0);
  });

  test("an async input of createPlants", async () => {
    const { store, client } = setUp();
    async function* slowly() {
      for (const plant of numbered(3)) {
        await realTime(20);
        yield plant;
      }
    }
    // Something that time could jump to.
    store.clock.after(60_000, () => {});
    for await (const { ok } of createPlants(client, slowly())) expect(ok).toBe(true);
    expect(store.clock.now()).toBe(0);
  });

  test("a gate", async () => {
    const { store, client } = setUp();
    const gate = store.hold();
    const creating = client.createPlant(PLANT);
    await gate.arrived(1);
    await realTime(30);
    gate.release();
    await creating;
    expect(store.clock.now()).toBe(0);
  });

  test("of two clients and two sessions, neither is", async () => {
    const { store } = setUp();
    const [one, other] = [store.session(), store.session()];
    one.inject(faults.delay(5_000));
    const slow = new PlantStoreClient(one.clientOptions).createPlant(PLANT);
    const provider = async () => {
      await realTime(30);
      return other.token;
    };
    await new PlantStoreClient({ ...other.clientOptions, token: provider }).createPlant(PLANT);
    expect(store.clock.now()).toBe(0);
    await slow;
    expect(store.clock.now()).toBe(5_000);
  });

  test("an input that waits for the results of its own run does not hold the time", async () => {
    const { store, client } = setUp();
    store.inject(faults.rateLimited(2));
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* dependent() {
      yield { id: 1, name: "Aloe" };
      await first;
      yield { id: 2, name: "Fern" };
    }
    const ids: unknown[] = [];
    for await (const { ok, input } of createPlants(client, dependent(), { concurrency: 4 })) {
      if (ok) ids.push(input.id);
      release();
    }
    expect(ids).toEqual([1, 2]);
  });
});

describe("the clock of a test", () => {
  test("sleep waits, and advance passes over what holds the time", async () => {
    const { store, client } = setUp({}, { token: () => new Promise<never>(() => {}) });
    await store.clock.sleep(1_000);
    expect(store.clock.now()).toBe(1_000);
    const result = client.tryCreatePlant(PLANT);
    await store.clock.advance(30_000);
    expect(await result).toMatchObject({ error: { kind: "timeout", outcome: "not-sent" } });
    expect(store.clock.now()).toBe(31_000);
  });

  test("the recorded requests are the same in every run", async () => {
    const runs = new Set<string>();
    for (let run = 0; run < 100; run++) {
      const { store, client } = setUp({}, { timeoutMs: 120_000 });
      store.inject(faults.rateLimited(50));
      await client.createPlant(PLANT);
      const session = store.session();
      await new PlantStoreClient(session.clientOptions).createPlant(PLANT);
      runs.add(JSON.stringify([...store.requests, ...session.requests, session.token]));
      expect(new Date(store.requests.last?.at ?? 0).toISOString()).toMatch(/^2026-01-01T00:00:5/);
    }
    expect(runs.size).toBe(1);
  });
});

test.each<[form: string, open: () => unknown, message: string]>([
  ["MSW in Node", () => setupMockPlantStore({ time: "virtual" }), "time: virtual time is for mock.fetch alone"],
  ["HTTP", () => startMockPlantStore({ time: "virtual" }), "time: virtual time is for mock.fetch alone"],
  ["handlers", () => createHandlers(setUp().store), "mock: has virtual time"],
  ["handle()", () => setUp().store.handle(new Request("https://plant-store.test")), "handle(): virtual time"],
])("a form that a real fetch reaches refuses virtual time: %s", async (_, open, message) => {
  await expect(async () => open()).rejects.toThrow(message);
});

describe("a wait in the mock lets the time pass", () => {
  type Wrapper = (fetch: Fetch, store: VirtualMockPlantStore) => Fetch;

  test.each<[string, Wrapper]>([
    [
      "reads a clone first",
      (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        await response.clone().text();
        return response;
      },
    ],
    [
      "reads a clone in the background",
      (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        response
          .clone()
          .text()
          .catch(() => {});
        return response;
      },
    ],
    [
      "pipes the body through a stream",
      (fetch) => async (url, init) => {
        const response = await fetch(url, init);
        return new Response(response.body?.pipeThrough(new TransformStream()) ?? null, response);
      },
    ],
    [
      "passes no signal on",
      (fetch) =>
        (url, { signal: _, ...init } = {}) =>
          fetch(url, init),
    ],
    [
      "waits by the clock",
      (fetch, { clock }) =>
        async (url, init) => {
          await clock.sleep(1_000);
          return fetch(url, init);
        },
    ],
  ])("also of a fetch that %s", async (_, wrap) => {
    for (const fault of [faults.stalledBody(), faults.hang(), faults.delay(40_000)]) {
      const { store } = setUp();
      store.inject(fault);
      const client = new PlantStoreClient({ ...store.clientOptions, fetch: wrap(store.fetch, store) as Fetch });
      const { ok, error } = (await client.tryCreatePlant(PLANT)) as { ok: boolean; error?: { kind: string } };
      expect([ok, error?.kind, store.clock.now()]).toEqual([false, "timeout", 30_000]);
    }
  });

  test("of a token provider that waits by the clock", async () => {
    const { store } = setUp();
    const token = () => store.clock.sleep(2_000).then(() => store.token);
    await new PlantStoreClient({ ...store.clientOptions, token }).createPlant(PLANT);
    expect(store.clock.now()).toBe(2_000);
  });

  test("of an input of createPlants that waits by the clock", async () => {
    const { store, client } = setUp();
    async function* slowly() {
      for (const plant of numbered(2)) {
        await store.clock.sleep(1_000);
        yield plant;
      }
    }
    for await (const { ok } of createPlants(client, slowly())) expect(ok).toBe(true);
    expect(store.clock.now()).toBe(2_000);
  });

  test("of one of two requests that differ in nothing", async () => {
    const { store } = setUp();
    store.inject(faults.delay(20_000));
    let sent = 0;
    const fetch: Fetch = async (url, init) => {
      const { method, headers, body } = init as RequestInit;
      if (sent++ === 0) await realTime(30);
      return store.fetch(url, { method: method as string, headers: headers as HeadersInit, body: body as string });
    };
    const client = new PlantStoreClient({ ...store.clientOptions, fetch });
    const results = await Promise.all([PLANT, PLANT].map((plant) => client.tryCreatePlant(plant)));
    expect(results.map(({ ok }) => ok)).toEqual([true, true]);
    expect(store.clock.now()).toBe(20_000);
  });

  test("but real work after it is not overtaken, even if the request was aborted or left", async () => {
    const { store } = setUp();
    store.inject(faults.hang(), { times: 2 });
    let sent = 0;
    const fetch: Fetch = async (url, init) => {
      sent++;
      if (sent > 2) await realTime(30);
      if (sent !== 1) return store.fetch(url, sent === 2 ? { ...init, signal: null } : init);
      const aborting = new AbortController();
      store.clock.sleep(1_000).then(() => aborting.abort());
      await store.fetch(url, { ...init, signal: aborting.signal }).catch(() => realTime(30));
      return fetch(url, init);
    };
    const client = new PlantStoreClient({ ...store.clientOptions, fetch });
    // The second request, which has no signal, waits in the mock for ever.
    expect((await client.tryCreatePlant(PLANT)).outcome).toBe("unknown");
    expect(store.clock.now()).toBe(30_000);
    expect((await client.tryCreatePlant(PLANT)).ok).toBe(true);
    expect(store.clock.now()).toBe(30_000);
  });

  test("also when one that its client has left is over", async () => {
    const { store } = setUp();
    store.inject(faults.delay(1_000), { times: 2 });
    const fetch: Fetch = (url, init) => store.fetch(url, { ...init, signal: null });
    const client = new PlantStoreClient({ ...store.clientOptions, fetch });
    expect(await client.tryCreatePlant(PLANT, { timeoutMs: 100 })).toMatchObject({ error: { kind: "timeout" } });
    await store.clock.sleep(2_000);
    expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true });
  });

  test("but not of a request of no client", async () => {
    const { store } = setUp();
    store.inject(faults.delay(60_000));
    const { method, headers } = { method: "POST", headers: { authorization: `Bearer ${store.token}` } };
    const direct = store.fetch(`${store.baseUrl}/plants`, { method, headers, body: "{}" });
    const fetch: Fetch = (url, init) => realTime(30).then(() => store.fetch(url, init));
    await new PlantStoreClient({ ...store.clientOptions, fetch }).createPlant(PLANT);
    expect(store.clock.now()).toBe(0);
    expect((await direct).status).toBe(400);
  });

  test("of a body whose session is reset", async () => {
    const { store, client } = setUp();
    store.inject(faults.stalledBody());
    store.clock.after(5_000, () => store.reset());
    expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: false, error: { kind: "connection" } });
    expect(store.clock.now()).toBe(5_000);
  });
});

describe("the virtual clock", () => {
  test.each<[string, (clock: VirtualClock) => Promise<void>]>([
    ["advance(NaN)", (clock) => clock.advance(Number.NaN)],
    ['advance("5")', (clock) => clock.advance("5" as never)],
    ["advance(-1)", (clock) => clock.advance(-1)],
    ["sleep(Infinity)", (clock) => clock.sleep(Number.POSITIVE_INFINITY)],
    ["after(NaN)", async (clock) => void clock.after(Number.NaN, () => {})],
  ])("refuses %s, and goes on", async (_, call) => {
    const { clock } = createMockPlantStore({ time: "virtual" });
    await expect(call(clock)).rejects.toThrow(/^ms: must be a finite number of at least 0, not /);
    await clock.sleep(5);
    expect(clock.now()).toBe(5);
  });

  test("never runs back, even if it is advanced twice at once", async () => {
    const { clock } = createMockPlantStore({ time: "virtual" });
    await Promise.all([clock.advance(1_000), clock.advance(10)]);
    expect(clock.now()).toBe(1_000);
  });

  test("goes on after a callback that throws", async () => {
    const { clock } = createMockPlantStore({ time: "virtual" });
    clock.after(5, () => {
      throw new Error("oops");
    });
    await expect(clock.advance(10)).rejects.toThrow("oops");
    await clock.sleep(10);
    expect(clock.now()).toBe(15);
  });

  test("calls back in the async context of the caller", async () => {
    const { clock } = createMockPlantStore({ time: "virtual" });
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    for (const name of ["first", "second"])
      context.run(name, () => clock.after(1, () => seen.push(context.getStore())));
    await clock.sleep(2);
    expect(seen).toEqual(["first", "second"]);
  });

  test("fires thousands of timers in the order of their times, without those that were canceled", async () => {
    const { clock } = createMockPlantStore({ time: "virtual" });
    const fired: number[] = [];
    // Without messages, each jump takes a millisecond.
    const length = globalThis.MessageChannel ? 20_000 : 1_000;
    const timers = Array.from({ length }, (_, index) => {
      const at = (index * 7_919) % 20_011;
      return { at, timer: clock.after(at, () => fired.push(at)) };
    });
    const isCanceled = (index: number) => index % 3 === 0;
    for (const [index, { timer }] of timers.entries()) if (isCanceled(index)) clock.cancel(timer);
    await clock.sleep(20_011);
    const expected = timers.filter((_, index) => !isCanceled(index)).map(({ at }) => at);
    expect(fired).toEqual(expected.sort((one, other) => one - other));
  });
});

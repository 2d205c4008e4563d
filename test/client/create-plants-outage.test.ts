import {
  type CreatePlantsOptions,
  type CreatePlantsPace,
  type CreatePlantsResult,
  createPlants,
  PlantStoreClient,
} from "plant-store-client";
import { describe, expect, test } from "vitest";
import { WATCHED } from "../../src/platform/recognize-runtime.ts";
import { numbered } from "./fixtures/creators.ts";
import { connectionRefused, connectionReset } from "./fixtures/network-errors.ts";
import { refused, reply } from "./fixtures/replies.ts";
import { BASE_URL } from "./fixtures/setup.ts";
import { TestClock } from "./fixtures/test-clock.ts";

const page = (status: number, headers = {}) =>
  reply(status, "<h1>page</h1>", { "content-type": "text/html", ...headers });

/** What a service that is down does with a request; `token`: the token provider fails, `hang`: no response comes. */
type Trouble = (() => Response | Error) | "token" | "hang";

interface Scenario {
  readonly trouble: Trouble;
  readonly isDown: (now: number) => boolean;
  readonly plants?: number;
  readonly timeoutMs?: number;
  readonly options?: CreatePlantsOptions;
}

/** A run against a service that answers in 30 ms and is down for a time, and how many plants it has in the end. */
async function run({ trouble, isDown, plants = 600, timeoutMs = 5_000, options = {} }: Scenario) {
  const clock = new TestClock();
  const stored: number[] = [];
  const createdAt: number[] = [];
  const after = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
  const fetch = async (_url: string, { body }: RequestInit): Promise<Response> => {
    await after(15);
    const isTrouble = isDown(clock.now());
    if (isTrouble && trouble === "hang") return new Promise(() => {});
    if (!isTrouble) stored.push(JSON.parse(body as string).id);
    await after(15);
    const answer = isTrouble && typeof trouble === "function" ? trouble() : undefined;
    if (answer instanceof Error) throw answer;
    if (!answer) createdAt.push(clock.now());
    return answer ?? Response.json({ name: "Fern" });
  };
  const token = async () => {
    if (trouble === "token" && isDown(clock.now())) throw new Error("the token service is down");
    return "secret";
  };
  const client = new PlantStoreClient({
    ...{ baseUrl: BASE_URL, token, timeoutMs, clock },
    fetch: Object.assign(fetch, { [WATCHED]: true }),
  });
  const results: CreatePlantsResult[] = [];
  const paces: CreatePlantsPace[] = [];
  const running = (async () => {
    const onPace = (pace: CreatePlantsPace) => paces.push(pace);
    for await (const result of createPlants(client, numbered(plants), { onPace, ...options })) results.push(result);
  })();
  const thrown = await clock.until(running.catch((error: unknown) => error));
  const count = (outcome: CreatePlantsResult["outcome"]) =>
    results.filter((result) => result.outcome === outcome).length;
  const twice = stored.length - new Set(stored).size;
  return { clock, results, thrown, paces, createdAt, twice, unknown: count("unknown"), created: count(undefined) };
}

const between = (from: number, to: number) => (now: number) => now >= from && now < to;

const FINAL: [string, Trouble][] = [
  ["502 with a page", () => page(502)],
  ["500 with the contract's Error", () => refused(500)],
  ["a reset connection", connectionReset],
  ["a login page", () => page(200)],
  ["no response", "hang"],
  ["503 with a page and Retry-After", () => page(503, { "retry-after": "3600" })],
  ["408", () => page(408)],
];
const REPEATED: [string, Trouble][] = [
  ["401", () => refused(401)],
  ["404 with a page", () => page(404)],
  ["a token provider that fails", "token"],
  ["a refused connection", connectionRefused],
];

describe("an outage of twenty seconds", () => {
  test.each(FINAL)("by %s leaves few plants unknown, and none is created twice or lost", async (_, trouble) => {
    const { unknown, created, twice, thrown, createdAt } = await run({ trouble, isDown: between(500, 20_500) });
    expect({ twice, thrown, all: unknown + created }).toEqual({ twice: 0, thrown: undefined, all: 600 });
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThanOrEqual(40);
    expect(createdAt.find((at) => at > 20_500)).toBeLessThan(40_500);
  });

  test.each(REPEATED)("by %s costs no plant", async (_, trouble) => {
    const { created, twice, thrown, createdAt } = await run({ trouble, isDown: between(500, 20_500) });
    expect({ created, twice, thrown }).toEqual({ created: 600, twice: 0, thrown: undefined });
    expect(createdAt.find((at) => at > 20_500)).toBeLessThan(40_500);
  });

  test("is reported with its reason and each pause", async () => {
    const { paces } = await run({ trouble: () => page(502), isDown: between(500, 20_500) });
    expect(paces.length).toBeGreaterThan(4);
    expect(paces[0]).toMatchObject({ pausedUntilMs: expect.any(Number), error: { status: 502 }, window: 1 });
    expect(paces.at(-1)).toMatchObject({ pausedUntilMs: undefined, error: undefined });
  });

  test("is waited out with retries of its plants, where a second request does no harm", async () => {
    const clock = new TestClock();
    const client = new PlantStoreClient({
      ...{ baseUrl: BASE_URL, token: "secret", retry: "idempotent", clock },
      fetch: async () => (between(1, 20_000)(clock.now()) ? page(502) : Response.json({ name: "Fern" })),
    });
    await clock.until(client.createPlant({ id: 0, name: "Fern" }));
    const results: CreatePlantsResult[] = [];
    const running = (async () => {
      await new Promise<void>((resolve) => void clock.after(10, resolve));
      for await (const result of createPlants(client, numbered(30), { maxWaitMs: 60_000 })) results.push(result);
    })();
    await clock.until(running);
    expect(results.filter(({ ok }) => ok)).toHaveLength(30);
  });
});

describe("a service that stays down", () => {
  test("ends the run after maxWaitMs, with few plants unknown", async () => {
    const { unknown, clock, thrown } = await run({ trouble: () => page(502), isDown: (now) => now >= 500 });
    expect(unknown).toBeLessThanOrEqual(60);
    // The try after the last pause, of at most 30 s and its jitter.
    expect(clock.now()).toBeGreaterThanOrEqual(600_000);
    expect(clock.now()).toBeLessThanOrEqual(640_000);
    expect(thrown).toMatchObject({ kind: "response", status: 502, outcome: "unknown" });
  });

  test("gives the plants that were never sent a result", async () => {
    const isDown = (now: number) => now >= 500;
    const { results, thrown, created } = await run({ trouble: "token", isDown, options: { maxWaitMs: 20_000 } });
    const rest = results.filter(({ ok }) => !ok);
    expect(rest.map(({ outcome }) => outcome)).toEqual(rest.map(() => "not-sent"));
    expect(created + rest.length).toBeLessThan(600);
    expect(thrown).toMatchObject({ kind: "token", retryable: true, name: "PlantStoreTokenError" });
  });
});

describe("trouble from the first request on", () => {
  test.each<[string, Trouble, string]>([
    ["404 with a page", () => page(404), "check baseUrl"],
    ["a page with 200", () => page(200), "returned 200 with text/html instead of application/json"],
    ["a refused connection", connectionRefused, "ECONNREFUSED"],
    ["401", () => refused(401), "returned 401"],
    ["a token provider that fails", "token", "the token service is down"],
  ])("may be a mistake: %s ends the run after some ten seconds", async (_, trouble, message) => {
    const { clock, thrown, results } = await run({ trouble, isDown: () => true });
    expect((thrown as Error).message).toContain(message);
    expect(clock.now()).toBeGreaterThan(5_000);
    expect(clock.now()).toBeLessThan(15_000);
    expect(results.length).toBeLessThan(20);
  });

  test.each<[string, CreatePlantsOptions | undefined, () => Response | Error]>([
    ["the caller passed maxWaitMs", { maxWaitMs: 60_000 }, connectionRefused],
    ["the service has refused a plant", undefined, () => refused(429)],
  ])("is waited out if %s", async (_, options, trouble) => {
    let requests = 0;
    const first = () => (requests++ === 0 ? trouble() : connectionRefused());
    const { created, thrown } = await run({
      ...{ trouble: first, isDown: (now: number) => now < 20_000, plants: 20 },
      ...(options && { options }),
    });
    expect({ created, thrown }).toEqual({ created: 20, thrown: undefined });
  });
});

test("an invalid token ends the run at once: it is a mistake of the caller", async () => {
  const clock = new TestClock();
  const client = new PlantStoreClient({ baseUrl: BASE_URL, token: () => "two\nlines", clock });
  const results: CreatePlantsResult[] = [];
  const running = (async () => {
    for await (const result of createPlants(client, numbered(50))) results.push(result);
  })();
  await expect(clock.until(running)).rejects.toMatchObject({ kind: "token", retryable: false });
  expect(results.length).toBeLessThanOrEqual(4);
  expect(clock.now()).toBe(0);
});

test("a fake whose error is not of this library ends the run with it, untouched", async () => {
  const clock = new TestClock();
  const error = new Error("down") as never;
  const tryCreatePlant = async () => ({ ok: false, error, outcome: "not-sent", attempts: [] }) as const;
  const results = createPlants({ tryCreatePlant }, numbered(2), { clock });
  const running = (async () => {
    for await (const { outcome } of results) expect(outcome).toBe("not-sent");
  })();
  await expect(clock.until(running)).rejects.toBe(error);
});

test("a slow input is no trouble: the time in which there is nothing to send does not count", async () => {
  const clock = new TestClock();
  const client = new PlantStoreClient({
    ...{ baseUrl: BASE_URL, token: "secret", clock },
    fetch: async () => page(502),
  });
  async function* hourly() {
    for (const plant of numbered(5)) {
      yield plant;
      await new Promise<void>((resolve) => void clock.after(3_600_000, resolve));
    }
  }
  const results: CreatePlantsResult[] = [];
  const running = (async () => {
    for await (const result of createPlants(client, hourly(), { maxWaitMs: 60_000 })) results.push(result);
  })();
  await clock.until(running);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill("unknown"));
});

test("a few troubles among many plants hold nothing up", async () => {
  let requests = 0;
  const trouble = () => page(502);
  const { clock, unknown, created, paces } = await run({ trouble, isDown: () => ++requests % 20 === 0 });
  expect({ unknown, created, paces }).toEqual({ unknown: 30, created: 570, paces: [] });
  expect(clock.now()).toBeLessThan(2_500);
});

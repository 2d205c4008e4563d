import { mock } from "node:test";
import { createPlants, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { created, refused } from "./fixtures/replies.ts";
import { BASE_URL, PLANT, scriptedFetch } from "./fixtures/setup.ts";

// What an application does that tests with fake timers: they replace the globals after the client was imported.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("an application's fake timers and randomness drive waits and records", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  const { fetch, posts } = scriptedFetch(refused(429), created());
  const options = { baseUrl: BASE_URL, token: "t", fetch, backoff: { initialMs: 500 } };
  const result = new PlantStoreClient(options).tryCreatePlant(PLANT);
  await vi.advanceTimersByTimeAsync(249);
  expect(posts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await result).attempts).toEqual([
    { number: 1, startedAt: 1_000_000, durationMs: 0, status: 429, reason: "status", delayMs: 250 },
    { number: 2, startedAt: 1_000_250, durationMs: 0, status: 200, reason: "ok" },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("ticks of node:test end the pauses of createPlants and of a rate limit, if performance.now is replaced too", async () => {
  vi.useRealTimers();
  mock.timers.enable({ apis: ["setTimeout", "Date"] });
  vi.spyOn(performance, "now").mockImplementation(() => Date.now());
  onTestFinished(() => mock.timers.reset());
  const { clientOptions } = createMockPlantStore({ rateLimit: { quota: 2, windowSeconds: 3_600 } });
  const plants = [1, 2, 3, 4].map((id) => ({ id, name: "Fern" }));
  const results = createPlants(new PlantStoreClient(clientOptions), plants, { maxWaitMs: 7_200_000 });
  const created: number[] = [];
  const run = (async () => {
    for await (const { ok, index } of results) if (ok) created.push(index);
  })();
  for (let minutes = 0; created.length < plants.length && minutes < 1_000; minutes++) {
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(60_000);
  }
  await run;
  expect(created.sort()).toEqual([0, 1, 2, 3]);
});

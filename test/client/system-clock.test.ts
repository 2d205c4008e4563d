import { PlantStoreClient } from "plant-store-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { created, refused } from "./fixtures/replies.ts";
import { BASE_URL, never, PLANT, scriptedFetch } from "./fixtures/setup.ts";

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
  const result = new PlantStoreClient({ baseUrl: BASE_URL, token: "t", fetch }).tryCreatePlant(PLANT);
  await vi.advanceTimersByTimeAsync(249);
  expect(posts).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(1);
  expect((await result).attempts).toEqual([
    { number: 1, startedAt: 1_000_000, durationMs: 0, status: 429, reason: "status", delayMs: 250 },
    { number: 2, startedAt: 1_000_250, durationMs: 0, status: 200, reason: "ok" },
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test("the deadline is a timer of the application too", async () => {
  const client = new PlantStoreClient({ baseUrl: BASE_URL, token: "t", fetch: () => never() });
  const result = client.tryCreatePlant(PLANT);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await result).toMatchObject({ ok: false, error: { kind: "timeout", timeoutMs: 30_000 } });
  expect(vi.getTimerCount()).toBe(0);
});

import { PlantStoreClient } from "plant-store-client";
import { expect, test, vi } from "vitest";
import * as browser from "../../src/platform/browser.ts";
import * as server from "../../src/platform/outside-browsers.ts";
import { connectionRefused } from "./fixtures/network-errors.ts";
import { created } from "./fixtures/replies.ts";
import { PLANT, scriptedFetch, setup } from "./fixtures/setup.ts";

// What bundles for browsers get; test/package shows which bundles those are, test/runtimes a real browser.
vi.mock("#platform", () => import("../../src/platform/browser.ts"));

test("an error about a missing option does not mention environment variables", () => {
  expect(() => new PlantStoreClient({ token: "t" })).toThrow(/^baseUrl is missing: pass it$/);
  expect(() => new PlantStoreClient({ baseUrl: "https://plants.test" })).toThrow(/^token is missing: pass it$/);
});

test("the error about plain http does not mention one, either", () => {
  const make = () => new PlantStoreClient({ baseUrl: "http://plants.test", token: "t" });
  expect(make).toThrow(/; in a network that you trust, set allowInsecure: true$/);
});

test("no User-Agent is sent, which would cost a second preflight", async () => {
  const { fetch, posts } = scriptedFetch(created());
  await new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", fetch }).createPlant(PLANT);
  expect([...(posts[0]?.headers.keys() ?? [])]).toEqual(["accept", "authorization", "content-type"]);
});

test("a failure that would prove on a server that nothing was sent proves nothing, and is not retried", async () => {
  const { client, posts } = setup([connectionRefused()]);
  const { ok, ...result } = await client.tryCreatePlant(PLANT);
  expect(ok ? undefined : result).toMatchObject({
    error: { kind: "connection", outcome: "unknown", cause: { message: "fetch failed" } },
    attempts: [{ reason: "network" }],
  });
  expect(result.attempts[0]).not.toHaveProperty("code");
  expect(posts).toHaveLength(1);
});

test("the global fetch is called as it is, without a dispatcher of its own", async () => {
  const fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(created());
  await new PlantStoreClient({ baseUrl: "https://plants.test", token: "t" }).createPlant(PLANT);
  expect(fetch.mock.calls[0]?.[1]).not.toHaveProperty("dispatcher");
  fetch.mockRestore();
});

test("both builds have the same members", () => {
  expect(Object.keys(browser).sort()).toEqual(Object.keys(server).sort());
});

import { PlantStoreClient } from "plant-store-client";
import { expect, test, vi } from "vitest";
import { created } from "./fixtures/replies.ts";
import { PLANT, scriptedFetch } from "./fixtures/setup.ts";

// environment.test.ts shows what counts as a browser, test/runtimes what happens in a real one.
vi.mock("../../src/environment.ts", () => ({ isBrowser: () => true, readVariable: () => undefined }));

test("an error about a missing option does not mention environment variables", () => {
  expect(() => new PlantStoreClient({ token: "t" })).toThrow(/^baseUrl is missing: pass it$/);
  expect(() => new PlantStoreClient({ baseUrl: "https://plants.test" })).toThrow(/^token is missing: pass it$/);
});

test("no User-Agent is sent, which would cost a second preflight", async () => {
  const { fetch, posts } = scriptedFetch(created());
  await new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", fetch }).createPlant(PLANT);
  expect([...(posts[0]?.headers.keys() ?? [])]).toEqual(["authorization", "content-type"]);
});

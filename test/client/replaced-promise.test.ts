import { createPlants } from "plant-store-client";
import { expect, test, vi } from "vitest";
import { errorOf } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";
import { bearers } from "./fixtures/token-providers.ts";

// Libraries such as zone.js and Bluebird replace the global Promise. Async functions still return the runtime's own.

function replacePromise(): void {
  vi.stubGlobal("Promise", class extends Promise<unknown> {});
}

test("a token provider that is an async function works if the global Promise is replaced", async () => {
  const tokens = ["expired", "fresh"];
  const { client, posts } = setup([refused(401), created()], { token: async () => tokens.shift() as string });
  replacePromise();
  expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true });
  expect(bearers(posts)).toEqual(["Bearer expired", "Bearer fresh"]);
});

test("createPlants recognizes the promise of an async function if the global Promise is replaced", async () => {
  const { client } = setup([]);
  const loadPlants = async () => [PLANT];
  replacePromise();
  const create = async () => createPlants(client, loadPlants() as never);
  expect((await errorOf(create())).message).toContain("received a promise: await it first");
});

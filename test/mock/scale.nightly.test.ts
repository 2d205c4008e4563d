import { createPlants, type PlantCreator } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { post } from "./post.ts";

// Each takes seconds. If the time of one item grew with the number of all, it would take longer than the timeout.
const MILLION = 1_000_000;

it("the first of a million faults is found at once", async () => {
  const mock = createMockPlantStore();
  for (let i = 0; i < MILLION; i++) mock.inject(faults.apiError(i, "no"));
  for (let i = 0; i < 30_000; i++) {
    expect(JSON.parse((await post(mock, '{"id":1,"name":"Fern"}')).text).error).toBe(i);
  }
});

it("a million results can be asked for at once", async () => {
  const creator: Pick<PlantCreator, "tryCreatePlant"> = {
    tryCreatePlant: async () => ({
      ok: true,
      plant: { name: "Fern" },
      status: 200,
      headers: new Headers(),
      attempts: [],
    }),
  };
  const plants = (function* () {
    for (let id = 0; id < MILLION; id++) yield { id, name: "Fern" };
  })();
  const results = createPlants(creator, plants, { concurrency: MILLION });
  const asked = Array.from({ length: MILLION }, () => results.next());
  let sum = 0;
  for (const next of asked) sum += (await next).value?.index ?? 0;
  expect(sum).toBe((MILLION * (MILLION - 1)) / 2);
});

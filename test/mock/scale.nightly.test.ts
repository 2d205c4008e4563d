import { createPlants, type PlantCreator } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { post } from "./post.ts";

// Each takes seconds. If the time of one item grew with the number of all, it would take longer than the timeout.
const MILLION = 1_000_000;
/** Results wait in plain arrays, of which a longer one takes long to shift: nobody asks for a million at once. */
const HUNDRED_THOUSAND = 100_000;

it("the first of a million faults is found at once", async () => {
  const mock = createMockPlantStore();
  for (let i = 0; i < MILLION; i++) mock.inject(faults.apiError(i, "no"));
  for (let i = 0; i < 30_000; i++) {
    expect(JSON.parse((await post(mock, '{"id":1,"name":"Fern"}')).text).error).toBe(i);
  }
});

it("a hundred thousand results can be asked for at once", async () => {
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
    for (let id = 0; id < HUNDRED_THOUSAND; id++) yield { id, name: "Fern" };
  })();
  const results = createPlants(creator, plants, { concurrency: HUNDRED_THOUSAND });
  const asked = Array.from({ length: HUNDRED_THOUSAND }, () => results.next());
  let sum = 0;
  for (const next of asked) sum += (await next).value?.index ?? 0;
  expect(sum).toBe((HUNDRED_THOUSAND * (HUNDRED_THOUSAND - 1)) / 2);
});

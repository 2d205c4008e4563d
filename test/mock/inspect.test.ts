import { inspect } from "node:util";
import { createMockPlantStore } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { post } from "./post.ts";

it("console.log shows the plants and requests of a store, ids exact, and no token", async () => {
  const mock = createMockPlantStore();
  await post(mock, '{"id":9007199254740993,"name":"Fern"}');
  mock.plants.add({ id: 7, name: "Moss", tag: "green" });
  expect(inspect(mock.plants)).toBe(
    "[\n  { id: 9007199254740993n, name: 'Fern' },\n  { id: 7, name: 'Moss', tag: 'green' }\n]",
  );
  expect(inspect(mock.requests, { depth: 0 })).toBe("[ [Object] ]");
  const shown = inspect(mock, { depth: 5 });
  expect(shown).toMatch(/baseUrl: 'https?:\/\/plant-store\.test',[\s\S]*name: 'Fern'[\s\S]*status: 200/);
  expect(shown).not.toContain(mock.token);
});

it("JSON and failing assertions show plants and requests", async () => {
  const mock = createMockPlantStore();
  await post(mock, '{"id":9007199254740993,"name":"Fern"}');
  await mock.fetch(`${mock.baseUrl}/other`);
  expect(JSON.parse(JSON.stringify(mock.plants))).toEqual([{ id: "9007199254740993", name: "Fern" }]);
  expect(JSON.parse(JSON.stringify(mock))).toMatchObject({
    baseUrl: mock.baseUrl,
    plants: [{ name: "Fern" }],
    requests: [{ status: 200, plant: { id: "9007199254740993" } }, { status: 404 }],
  });
});

it("many plants are shown as the newest and the number of the others", () => {
  const seed = Array.from({ length: 1_001 }, (_, id) => ({ id, name: "x" }));
  const { plants } = createMockPlantStore({ seed });
  const shown = JSON.parse(JSON.stringify(plants));
  expect([shown.length, shown[0], shown[1].id, shown.at(-1).id]).toEqual([101, "… 901 older", 901, 1000]);
});

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

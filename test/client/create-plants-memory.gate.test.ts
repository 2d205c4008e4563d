import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

test("one million plants take no more memory than a hundred thousand", async () => {
  const source = `
    import { createPlants } from "./src/index.ts";
    const result = { ok: true, plant: { name: "x" }, status: 200, headers: new Headers(), attempts: [] };
    const creator = { tryCreatePlant: async () => result };
    const { signal } = new AbortController();
    function* input() { for (let id = 0; id < 1_000_000; id++) yield { id, name: "Plant " + id }; }
    const used = () => { gc(); return process.memoryUsage().heapUsed; };
    const heap = {};
    let count = 0, sum = 0;
    for await (const { index, input: { id } } of createPlants(creator, input(), { signal })) {
      count++;
      sum += index - id;
      if (count === 100_000 || count === 1_000_000) heap[count] = used();
    }
    console.log(JSON.stringify({ count, sum, grown: heap[1_000_000] - heap[100_000] }));`;
  const { count, sum, grown } = (await runChild(source)) as Record<string, number>;
  expect({ count, sum }).toEqual({ count: 1_000_000, sum: 0 });
  // One byte for each of the 900,000 more would already show.
  expect(grown).toBeLessThan(900_000);
}, 90_000);

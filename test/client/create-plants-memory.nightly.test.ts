import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

test("one million plants, a part of which is refused, take no more memory than a hundred thousand", async () => {
  const source = `
    import { createPlants } from "./src/create-plants/create-plants.ts";
    import { createMockPlantStore } from "./mock/index.ts";
    const { clock } = createMockPlantStore({ time: "virtual" });
    const refusal = { status: 429, outcome: "rejected", retryable: true, retryAfterMs: 1_000 };
    const refused = { ok: false, error: refusal, outcome: "rejected", attempts: [] };
    const created = { ok: true, plant: { name: "x" }, status: 200, headers: new Headers(), attempts: [] };
    let sent = 0;
    const creator = { tryCreatePlant: async () => (++sent % 1_000 === 0 ? refused : created) };
    function* input() { for (let id = 0; id < 1_000_000; id++) yield { id, name: "Plant " + id }; }
    const heap = {};
    let count = 0;
    for await (const { ok } of createPlants(creator, input(), { concurrency: 64, clock })) {
      count += Number(ok);
      if (count !== 100_000 && count !== 1_000_000) continue;
      gc();
      heap[count] = process.memoryUsage().heapUsed;
    }
    console.log(JSON.stringify({ count, grown: heap[1_000_000] - heap[100_000] }));`;
  const { count, grown } = (await runChild(source)) as Record<string, number>;
  expect(count).toBe(1_000_000);
  expect(grown).toBeLessThan(900_000);
});

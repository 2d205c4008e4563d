import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

/*
 * V8 allocates a function expression that is assigned to a property (`x.y = () => …`) in its old generation, and keeps
 * every value that the function refers to until the next full collection.
 */
test("a minor collection frees everything that a call allocated", async () => {
  const source = `
    import { setImmediate as tick } from "node:timers/promises";
    import { getHeapSpaceStatistics } from "node:v8";
    import { PlantStoreClient } from "./src/index.ts";
    const headers = new Headers({ "content-type": "application/json" });
    const text = new TextEncoder().encode('{"name":"Monstera"}');
    // A reply whose stream is heavy: 16 kB.
    const readerOf = (chunks) => ({
      ballast: new Array(2000).fill(0),
      read: async () => (chunks.length > 0 ? { done: false, value: chunks.pop() } : { done: true }),
      cancel: async () => {},
    });
    const fetch = async () => ({ status: 200, headers, body: { getReader: () => readerOf([text]) } });
    const client = new PlantStoreClient({ baseUrl: "https://plants.example/v1", token: "secret", fetch });
    const old = () => getHeapSpaceStatistics().find((space) => space.space_name === "old_space").space_used_size;
    const create = async (calls) => {
      for (let i = 1; i <= calls; i++) {
        await client.createPlant({ id: i, name: "Monstera" });
        if (i % 10 > 0) continue;
        await tick();
        gc({ type: "minor" });
      }
    };
    await create(2000);
    gc();
    const before = old();
    await create(2000);
    console.log(JSON.stringify({ bytesACall: (old() - before) / 2000 }));`;
  const { bytesACall } = (await runChild(source)) as { bytesACall: number };
  // The last of ten calls is still at hand, and so is a tenth of its 16 kB.
  expect(bytesACall).toBeLessThan(4000);
});

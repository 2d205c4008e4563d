import { expect, test } from "vitest";
import { runChild } from "./fixtures/child.ts";

test("one million plants through a limit take no more memory than a hundred thousand, and each is sent in its turn", async () => {
  const source = `
    import { createPlants } from "./src/create-plants/create-plants.ts";
    import { bucket } from "./test/client/fixtures/limits.ts";
    import { seededRandom, Timeline } from "./test/client/fixtures/simulation.ts";
    const timeline = new Timeline();
    const clock = {
      date: () => timeline.now,
      now: () => timeline.now,
      random: seededRandom(1),
      after(ms, callback) {
        const timer = { isSet: true };
        timeline.at(timeline.now + ms, () => timer.isSet && callback());
        return timer;
      },
      cancel: (timer = {}) => { timer.isSet = false; },
    };
    const limit = bucket(5_000, 100);
    const created = { ok: true, plant: { name: "x" }, status: 200, headers: new Headers(), attempts: [] };
    const heap = {};
    const seen = { created: 0, refused: 0, latest: -1, overtaken: 0, most: 0 };
    const creator = {
      tryCreatePlant: ({ id }) => new Promise((resolve) => timeline.at(timeline.now + 5, () => {
        // How far behind the newest plant this one is sent: no more than the window, and what was refused in it.
        seen.most = Math.max(seen.most, seen.latest - id);
        seen.latest = Math.max(seen.latest, id);
        const refusal = limit.refuse(timeline.now);
        if (refusal) seen.refused++; else seen.created++;
        resolve(refusal ? { ok: false, error: { status: 429, outcome: "rejected", retryable: true, ...refusal }, attempts: [] } : created);
      })),
    };
    function* input() { for (let id = 0; id < 1_000_000; id++) yield { id, name: "Plant " + id }; }
    const used = () => { gc(); return process.memoryUsage().heapUsed; };
    let count = 0;
    const done = (async () => {
      for await (const { ok } of createPlants(creator, input(), { concurrency: 64, clock })) {
        count += Number(ok);
        if (count === 100_000 || count === 1_000_000) heap[count] = used();
      }
    })();
    while (count < 1_000_000) {
      await new Promise(setImmediate);
      timeline.step();
    }
    await done;
    const { created: sent, refused, most } = seen;
    console.log(JSON.stringify({ count, sent, refused, most, ms: timeline.now, grown: heap[1_000_000] - heap[100_000] }));`;
  const { count, sent, refused, most, ms, grown } = (await runChild(source)) as Record<string, number>;
  expect({ count, sent }).toEqual({ count: 1_000_000, sent: 1_000_000 });
  // 200 s at best.
  expect(ms).toBeLessThan(230_000);
  expect(refused).toBeLessThan(3_000);
  expect(most).toBeLessThan(2 * 64);
  expect(grown).toBeLessThan(900_000);
});

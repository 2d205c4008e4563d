import { expect, test } from "vitest";
import { never, PLANT, setup } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";

/** A long-lived signal that counts its listeners. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const counts = { now: 0, added: 0, most: 0 };
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    counts.added++;
    counts.now++;
    counts.most = Math.max(counts.most, counts.now);
    addEventListener.apply(signal, args);
  };
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    counts.now--;
    removeEventListener.apply(signal, args);
  };
  return { controller, signal, counts };
}

/** As much of a Response as is read, and cheap to make. */
const headers = new Headers({ "content-type": "application/json" });
const light = { status: 200, headers, text: async () => '{"name":"Monstera"}' } as Response;

test("10,000 calls with one long-lived signal leave no listener and no timer behind", async () => {
  const { signal, counts } = countedSignal();
  const { client, clock } = setup([], { fetch: async () => light, onAttempt: undefined });
  // The waits of the clock are kept for tests; here they would be the growth.
  clock.waits.push = () => 0;
  for (let i = 0; i < 100; i++) {
    await Promise.all(Array.from({ length: 100 }, () => client.createPlant(PLANT, { signal })));
  }
  expect(counts).toMatchObject({ now: 0, most: 1 });
  expect(counts.added).toBeGreaterThanOrEqual(1);
  expect(clock.pending).toBe(0);
});

test("1,000 calls at once on one signal have one listener, give no warning, and are all aborted", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  try {
    const { signal, counts, controller } = countedSignal();
    const { client, clock } = setup([], { fetch: () => never() });
    const calls = Array.from({ length: 1000 }, () => client.tryCreatePlant(PLANT, { signal }));
    await flush();
    expect(counts).toEqual({ now: 1, added: 1, most: 1 });
    controller.abort("all");
    const results = await Promise.all(calls);
    expect(results.every((result) => !result.ok && result.error.cause === "all")).toBe(true);
    expect(counts.now).toBe(0);
    expect(clock.pending).toBe(0);
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", note);
  }
});

import { AsyncLocalStorage } from "node:async_hooks";
import { runInNewContext } from "node:vm";
import type { Attempt } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { connectionRefused } from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { never, PLANT, setup } from "./fixtures/setup.ts";
import { flush, START, type TestClock } from "./fixtures/test-clock.ts";

test("a result lists every attempt, frozen: number, start, duration, status or code, wait and reason", async () => {
  let clock: TestClock | undefined;
  const slow = async () => {
    if (clock) clock.elapsedMs += 40;
    return refused(429);
  };
  const mocked = setup([connectionRefused(), slow, created()]);
  clock = mocked.clock;
  const result = await mocked.clock.until(mocked.client.tryCreatePlant(PLANT));
  expect(result.attempts).toEqual([
    { number: 1, startedAt: START, durationMs: 0, reason: "network", code: "ECONNREFUSED", delayMs: 250 },
    { number: 2, startedAt: START + 250, durationMs: 40, reason: "status", status: 429, delayMs: 500 },
    { number: 3, startedAt: START + 790, durationMs: 0, reason: "ok", status: 200 },
  ]);
  expect(mocked.seen.map((each, i) => each === result.attempts[i] && Object.isFrozen(each))).toEqual([
    true,
    true,
    true,
  ]);
});

describe("onAttempt", () => {
  test("of a call is called in addition to the client's, and after it, for that call alone", async () => {
    const order: string[] = [];
    const note =
      (who: string) =>
      ({ number, status }: Attempt) => {
        order.push(`${who} ${number}: ${status}`);
        throw new Error("swallowed");
      };
    const { client, clock } = setup([refused(429), created(), created()], { onAttempt: note("client") });
    await clock.until(client.createPlant(PLANT, { onAttempt: note("call") }));
    await client.createPlant(PLANT);
    expect(order).toEqual(["client 1: 429", "call 1: 429", "client 2: 200", "call 2: 200", "client 1: 200"]);
  });

  test("is not called if nothing was sent", async () => {
    const mocked = setup([]);
    await failure(mocked, undefined, { id: 1.5, name: "x" });
    expect(mocked.seen).toEqual([]);
  });

  test.each<[name: string, onAttempt: () => unknown]>([
    ["throws", () => JSON.parse("sync")],
    ["rejects", async () => JSON.parse("async")],
    ["gives a promise of another realm that rejects", () => runInNewContext("Promise.reject(new Error('foreign'))")],
    ["gives null", () => null],
  ])("that %s changes nothing", async (_, onAttempt) => {
    const unhandled: unknown[] = [];
    const note = (error: unknown) => unhandled.push(error);
    process.on("unhandledRejection", note);
    const { client, clock } = setup([refused(429), created()], { onAttempt: onAttempt as () => void });
    const result = await clock.until(client.tryCreatePlant(PLANT));
    await flush();
    process.off("unhandledRejection", note);
    expect({ ok: result.ok, unhandled }).toEqual({ ok: true, unhandled: [] });
  });

  test("is called in the async context of its own call, also when a signal that calls share is aborted in another", async () => {
    const context = new AsyncLocalStorage<string>();
    const { client } = setup([never, never]);
    const controller = new AbortController();
    const { signal } = controller;
    const seen: string[] = [];
    const call = (name: string) =>
      context.run(name, () =>
        client.tryCreatePlant(PLANT, {
          signal,
          onAttempt: ({ reason }) => seen.push(`${name} in ${context.getStore()}: ${reason}`),
        }),
      );
    const calls = [call("first"), call("second")];
    await flush();
    context.run("aborter", () => controller.abort());
    await Promise.all(calls);
    expect(seen).toEqual(["first in first: aborted", "second in second: aborted"]);
  });

  test("is not called after the call is over", async () => {
    const late = () => flush().then(created);
    const { client, clock, seen } = setup([late], { timeoutMs: 5 });
    const promise = client.tryCreatePlant(PLANT);
    clock.elapsedMs = 0;
    const result = await clock.advance(5).then(() => promise);
    await flush();
    expect([seen.length, result.attempts.length]).toEqual([1, 1]);
  });
});

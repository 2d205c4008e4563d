import { getEventListeners } from "node:events";
import { PlantStoreAbortError, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { created, refused, stalled } from "./fixtures/replies.ts";
import { never, PLANT, type Step, setup, URL_OF_PLANTS } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";

type Provider = (context: { rejectedToken?: string }) => string | Promise<string>;
const hangsAfter401: Provider = ({ rejectedToken }) => (rejectedToken ? never<string>() : "first");

/** Where a call can be when its caller aborts it, with the outcome and the reasons of its attempts. */
const STAGES: [name: string, steps: Step[], token: string | Provider, outcome: string, reasons: string[]][] = [
  ["while the token is awaited", [], () => never<string>(), "not-sent", []],
  ["while fetch is awaited", [() => never()], "t", "unknown", ["aborted"]],
  ["while a body is read", [stalled(200, "{").response], "t", "unknown", ["aborted"]],
  ["while the body of a refusal is read", [stalled(400, "{").response], "t", "rejected", ["aborted"]],
  ["in a wait", [refused(429)], "t", "rejected", ["status"]],
  ["while a new token is awaited", [refused(401)], hangsAfter401, "rejected", ["status"]],
  ["in the second attempt", [refused(429), () => never()], "t", "unknown", ["status", "aborted"]],
];

describe.each(STAGES)("aborted %s", (_, steps, token, outcome, reasons) => {
  test.each([
    ["an object", { why: "the user left" }],
    ["a text", "stop"],
    ["null", null],
    ["an error", new Error("mine")],
    ["none", undefined],
  ])("the call fails by an AbortError, whose cause is the signal's reason: %s", async (_, reason) => {
    const again = steps.map((step): Step => (step instanceof Response ? () => step.clone() : step));
    const { client, clock, posts } = setup([...again, ...again], { token });
    for (const call of ["createPlant", "tryCreatePlant"] as const) {
      const controller = new AbortController();
      const promise = client[call](PLANT, { signal: controller.signal });
      promise.catch(() => {});
      await clock.advance(steps.length > 1 ? 250 : 0);
      controller.abort(reason);
      const result = await promise.catch((error: PlantStoreAbortError) => ({ ok: false, error, ...error }));
      expect(result).toMatchObject({ ok: false, outcome, attempts: reasons.map((reason) => ({ reason })) });
      const { error } = result as { error: PlantStoreAbortError };
      expect(error).toBeInstanceOf(PlantStoreAbortError);
      expect(error).toMatchObject({ name: "AbortError", kind: "aborted", outcome, retryable: false });
      expect(error.message.startsWith(`POST ${URL_OF_PLANTS} was aborted; `)).toBe(true);
      expect(error.attempts).toHaveLength(reasons.length);
      // The wait that was cut short is not that of an attempt.
      expect(error.attempts.at(-1) ?? {}).not.toHaveProperty("delayMs");
      expect(error.cause).toBe(controller.signal.reason);
      const { signal } = posts.at(-1) ?? controller;
      expect({ aborted: signal.aborted, reason: signal.reason }).toEqual({ aborted: true, reason: error.cause });
    }
    await flush();
    expect(clock.pending).toBe(0);
  });
});

test("a signal that is aborted before the call ends it before validation and before the token provider", async () => {
  let asked = 0;
  const { client, posts } = setup([], { token: () => `token-${asked++}` });
  const signal = AbortSignal.abort("no");
  const error = { kind: "aborted", outcome: "not-sent", cause: "no", attempts: [] };
  expect(await client.tryCreatePlant({ id: "7" } as never, { signal })).toMatchObject({ ok: false, error });
  await expect(client.createPlant({ id: "7" } as never, { signal })).rejects.toMatchObject(error);
  expect({ posts: posts.length, asked }).toEqual({ posts: 0, asked: 0 });
});

test("nothing is sent after an abort, at any moment around the arrival of the token", async () => {
  for (let turns = 0; turns < 12; turns++) {
    const controller = new AbortController();
    const { client, posts } = setup([created()], { token: async () => "t" });
    const result = client.tryCreatePlant(PLANT, { signal: controller.signal });
    for (let turn = 0; turn < turns; turn++) await null;
    const sent = posts.length;
    controller.abort();
    await result;
    await flush();
    expect(posts).toHaveLength(sent);
  }
});

test("after an abort in the same turn as the response the outcome is unknown: the plant exists", async () => {
  const controller = new AbortController();
  const { client } = setup([created()], { onAttempt: () => controller.abort("now") });
  const result = await client.tryCreatePlant(PLANT, { signal: controller.signal });
  expect(result).toMatchObject({
    ok: false,
    error: { kind: "aborted", outcome: "unknown" },
    attempts: [{ reason: "ok" }],
  });
});

test("a body whose cancel throws, rejects or never settles does not delay the abort of other calls", async () => {
  const controller = new AbortController();
  const cancels = [() => JSON.parse("cancel"), () => never<void>(), () => Promise.reject(new Error("cancel"))];
  const results = cancels.map((cancel) => {
    const body = { getReader: () => ({ read: () => never(), cancel }) };
    const { client } = setup([() => ({ status: 200, headers: new Headers(), body }) as never]);
    return client.tryCreatePlant(PLANT, { signal: controller.signal });
  });
  await flush();
  controller.abort("all");
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ error: { kind: "aborted" } });
});

test("a signal without throwIfAborted, as that of jsdom 20, is enough for a call, its retry and the mock", async () => {
  const throwIfAborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "throwIfAborted") as PropertyDescriptor;
  Reflect.deleteProperty(AbortSignal.prototype, "throwIfAborted");
  try {
    using mock = createMockPlantStore();
    mock.inject(faults.rateLimited(0));
    const client = new PlantStoreClient({ ...mock.clientOptions, backoff: { initialMs: 0 } });
    expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true, attempts: [{ status: 429 }, {}] });
    const aborted = client.tryCreatePlant(PLANT, { signal: AbortSignal.abort("stop") });
    expect(await aborted).toMatchObject({ ok: false, error: { kind: "aborted", cause: "stop" } });
  } finally {
    Object.defineProperty(AbortSignal.prototype, "throwIfAborted", throwIfAborted);
  }
});

test("1,000 calls at once on one signal have one listener, give no warning, and are all aborted", async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on("warning", note);
  const controller = new AbortController();
  const { signal } = controller;
  const { client, clock } = setup([], { fetch: () => never() });
  const calls = Array.from({ length: 1000 }, () => client.tryCreatePlant(PLANT, { signal }));
  await flush();
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  controller.abort("all");
  const results = await Promise.all(calls);
  process.off("warning", note);
  expect(results.every(({ error }) => error?.cause === "all")).toBe(true);
  expect([getEventListeners(signal, "abort").length, clock.pending, warnings]).toEqual([0, 0, []]);
});

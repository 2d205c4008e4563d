import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, faults } from "plant-store-client/mock";
import { describe, expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
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
  ["while the body of a refusal is read", [stalled(400, "{").response], "t", "unknown", ["aborted"]],
  ["in a wait", [refused(429)], "t", "rejected", ["status"]],
  ["while a new token is awaited", [refused(401)], hangsAfter401, "rejected", ["status"]],
  ["in the second attempt", [refused(429), () => never()], "t", "unknown", ["status", "aborted"]],
];

describe.each(STAGES)("aborted %s", (_, steps, token, outcome, reasons) => {
  async function abortAtStage(reason: unknown, call: "createPlant" | "tryCreatePlant") {
    const mocked = setup(
      steps.map((step) => (step instanceof Response ? () => step.clone() : step)),
      { token },
    );
    const controller = new AbortController();
    const promise = mocked.client[call](PLANT, { signal: controller.signal });
    promise.catch(() => {});
    await mocked.clock.advance(steps.length > 1 ? 250 : 0);
    controller.abort(reason);
    return { ...mocked, promise };
  }

  test("tryCreatePlant resolves with a PlantStoreAbortError that carries the reason", async () => {
    const reason = { why: "the user left" };
    const { promise, clock } = await abortAtStage(reason, "tryCreatePlant");
    const result = await promise;
    expect(result).toMatchObject({ ok: false, error: { kind: "aborted", outcome } });
    if (!("ok" in result) || result.ok) throw new Error("It succeeded");
    expect(result.error.cause).toBe(reason);
    expect(result.error.name).toBe("PlantStoreAbortError");
    expect(result.error.message.startsWith(`POST ${URL_OF_PLANTS} was aborted; `)).toBe(true);
    expect(result.attempts.map((attempt) => attempt.reason)).toEqual(reasons);
    expect(result.error.attempts).toEqual(result.attempts);
    await flush();
    expect(clock.pending).toBe(0);
  });

  test.each([
    ["an object", { why: "x" }],
    ["a text", "stop"],
    ["null", null],
    ["an error", new Error("mine")],
  ])("createPlant rejects with the signal's reason itself: %s", async (_, reason) => {
    const { promise } = await abortAtStage(reason, "createPlant");
    const caught = await promise.then(
      () => "it resolved",
      (error: unknown) => error,
    );
    expect(caught).toBe(reason);
  });

  test("the signal that fetch got is aborted with the reason", async () => {
    const { posts, promise } = await abortAtStage("stop", "tryCreatePlant");
    await promise;
    expect(posts.map(({ signal }) => signal)).toMatchObject(steps.map(() => ({ aborted: true, reason: "stop" })));
  });
});

describe("a signal that is aborted before the call", () => {
  test("rejects before validation and before the token provider", async () => {
    let asked = 0;
    const token = () => `token-${asked++}`;
    const { client, posts } = setup([], { token });
    const signal = AbortSignal.abort("no");
    const result = await client.tryCreatePlant({ id: "7" } as never, { signal });
    expect(result).toMatchObject({
      ok: false,
      error: { kind: "aborted", outcome: "not-sent", cause: "no", attempts: [] },
      attempts: [],
    });
    await expect(client.createPlant({ id: "7" } as never, { signal })).rejects.toBe("no");
    expect(posts).toHaveLength(0);
    expect(asked).toBe(0);
  });

  test("gives a DOMException if no reason was given", async () => {
    const { client } = setup([]);
    const caught = await client.createPlant(PLANT, { signal: AbortSignal.abort() }).catch((error: unknown) => error);
    expect(caught).toBeInstanceOf(DOMException);
    expect(caught).toMatchObject({ name: "AbortError" });
  });
});

test("a getter of the plant that aborts the call ends it before anything is sent", async () => {
  const { client, posts, clock } = setup([() => created()]);
  const controller = new AbortController();
  const plant = {
    id: 1,
    get name() {
      controller.abort("from within");
      return "Monstera";
    },
  };
  const result = await client.tryCreatePlant(plant, { signal: controller.signal });
  expect(result).toMatchObject({ ok: false, error: { kind: "aborted", outcome: "not-sent" } });
  expect(posts).toHaveLength(0);
  expect(clock.pending).toBe(0);
});

test("an abort in the same turn as a 401 asks for no new token", async () => {
  const controller = new AbortController();
  const asked: unknown[] = [];
  const token: Provider = (context) => {
    asked.push(context.rejectedToken);
    return "first";
  };
  // The last thing that the client reads of a reply.
  const headers = new Headers();
  headers.get = (name) => {
    if (name === "retry-after") controller.abort("now");
    return null;
  };
  const response = { status: 401, headers, text: async () => "" } as Response;
  const { client } = setup([() => response], { token });
  const result = await client.tryCreatePlant(PLANT, { signal: controller.signal });
  await flush();
  expect(result).toMatchObject({ ok: false, error: { kind: "aborted" } });
  expect(asked).toEqual([undefined]);
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

test("an abort after the call is over changes nothing", async () => {
  const controller = new AbortController();
  const { client } = setup([created()]);
  const result = await client.tryCreatePlant(PLANT, { signal: controller.signal });
  controller.abort();
  expect(result).toMatchObject({ ok: true, attempts: [{ reason: "ok" }] });
});

test("a body whose cancel throws or never settles does not delay the abort of other calls", async () => {
  const controller = new AbortController();
  const odd = (cancel: () => Promise<void>) => () =>
    ({ status: 200, headers: new Headers(), body: { getReader: () => ({ read: () => never(), cancel }) } }) as never;
  const throws = setup([
    odd(() => {
      throw new Error("cancel");
    }),
  ]);
  const hangs = setup([odd(() => never())]);
  const rejects = setup([odd(() => Promise.reject(new Error("cancel")))]);
  const results = [throws, hangs, rejects].map(({ client }) =>
    client.tryCreatePlant(PLANT, { signal: controller.signal }),
  );
  await flush();
  controller.abort("all");
  for (const result of await Promise.all(results)) expect(result).toMatchObject({ error: { kind: "aborted" } });
});

test("a call that ends leaves the others on the same signal", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const { client } = setup([() => never(), created()]);
  const waiting = client.tryCreatePlant(PLANT, { signal });
  await client.createPlant(PLANT, { signal });
  controller.abort("later");
  expect(await waiting).toMatchObject({ ok: false, error: { kind: "aborted", cause: "later" } });
});

test("an observer that aborts the call when its deadline has ended it changes nothing", async () => {
  const controller = new AbortController();
  const abort = () => controller.abort(new Error("give up"));
  const { client, clock } = setup([never], { timeoutMs: 1_000, onAttempt: abort });
  const result = client.tryCreatePlant(PLANT, { signal: controller.signal });
  await clock.advance(1_000);
  expect(await result).toMatchObject({ error: { kind: "timeout" }, attempts: [{ reason: "timeout" }] });
});

test("the deadline and the abort do not both end a call", async () => {
  const controller = new AbortController();
  const mocked = setup([() => never()], { timeoutMs: 5 });
  const error = failure(mocked, { signal: controller.signal });
  await mocked.clock.advance(5);
  controller.abort();
  expect((await error).kind).toBe("timeout");
  expect((await error).attempts).toHaveLength(1);
});

test("a signal that throws when it is asked whether it is aborted does not end a call", async () => {
  let reads = 0;
  class Broken extends EventTarget {
    get aborted(): boolean {
      if (reads++ > 0) throw new Error("broken");
      return false;
    }
  }
  const { client } = setup([created()]);
  expect(await client.tryCreatePlant(PLANT, { signal: new Broken() as AbortSignal })).toMatchObject({ ok: true });
  expect(reads).toBeGreaterThan(1);
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

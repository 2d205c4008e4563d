import { getEventListeners } from "node:events";
import { PlantStoreClient, type TokenProvider } from "plant-store-client";
import { describe, expect, test, vi } from "vitest";
import type { DispatchWatch } from "../../src/platform/dispatch-watch.ts";
import { connectionRefused } from "./fixtures/network-errors.ts";
import { errorOf, eventOf, failure } from "./fixtures/outcome-of.ts";
import { created, refused, stalled } from "./fixtures/replies.ts";
import { never, PLANT, setup } from "./fixtures/setup.ts";
import { flush, type TestClock } from "./fixtures/test-clock.ts";

test.each([
  ["a token provider that never settles", { token: () => never<string>() }, "not-sent", []],
  ["a fetch that never settles", { fetch: () => never<Response>() }, "unknown", [{ durationMs: 40 }]],
] as const)("%s is ended by the deadline", async (_, options, outcome, attempts) => {
  const mocked = setup([], { ...options, timeoutMs: 40 });
  const error = await failure(mocked);
  expect(error).toMatchObject({ kind: "timeout", outcome, timeoutMs: 40, retryable: false, attempts });
  expect(eventOf(error)).toBe("timed out after 40 ms (timeoutMs)");
  for (const attempt of error.attempts) expect(attempt).not.toHaveProperty("status");
  expect(mocked.clock.elapsedMs).toBe(40);
});

test.each([
  ["stalls", 200, {}, "unknown"],
  ["stalls after a Content-Length", 200, { "content-length": "20" }, "unknown"],
  ["is that of a refusal", 400, {}, "rejected"],
  ["is that of a 429", 429, {}, "rejected"],
  ["is that of a 408", 408, {}, "unknown"],
])("a body that %s is canceled at the deadline; its status counts", async (_, status, headers, outcome) => {
  const { response, canceled } = stalled(status, '{"name":');
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  const error = await failure(setup([response], { timeoutMs: 40 }));
  expect(error).toMatchObject({ kind: "timeout", outcome, attempts: [{ status, reason: "timeout" }] });
  await flush();
  expect(canceled()).toBe(true);
});

test("a response proves that its request was sent, even if the dispatcher has not called the hook", async () => {
  const { response } = stalled(200, '{"name":');
  const send = (_url: string, init: RequestInit) => {
    const { dispatcher } = init as unknown as { readonly dispatcher: DispatchWatch };
    dispatcher.enter({}, { origin: "https://plants.test" }, true);
    return response;
  };
  expect(await failure(setup([send], { timeoutMs: 40 }))).toMatchObject({ kind: "timeout", outcome: "unknown" });
});

test("a body whose empty chunks never make a read wait is canceled at the deadline", async () => {
  let isCanceled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new Uint8Array()),
    cancel: () => {
      isCanceled = true;
    },
  });
  const fetch = async () => new Response(endless);
  // With the system's clock: time has to pass while no timer can run. A busy machine sends the request before it has.
  const client = new PlantStoreClient({ baseUrl: "https://plants.test", token: "secret", fetch, timeoutMs: 200 });
  expect(await client.tryCreatePlant(PLANT)).toMatchObject({ error: { kind: "timeout", outcome: "unknown" } });
  await flush();
  expect(isCanceled).toBe(true);
});

describe("the deadline covers waits and attempts together", () => {
  test("it ends a wait: the outcome is that of the attempts", async () => {
    const mocked = setup([refused(429), connectionRefused()], { timeoutMs: 300 });
    const slow = mocked.client.createPlant(PLANT);
    slow.catch(() => {});
    await mocked.clock.advance(100);
    mocked.clock.elapsedMs = 260;
    expect(await errorOf(mocked.clock.until(slow))).toMatchObject({ outcome: "rejected" });
  });
  test("it ends the second attempt", async () => {
    const mocked = setup([connectionRefused(), () => never()], { timeoutMs: 300 });
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "timeout", outcome: "unknown" });
    expect(error.attempts).toMatchObject([
      { number: 1, reason: "network", delayMs: 250 },
      { number: 2, reason: "timeout", durationMs: 50 },
    ]);
  });
});

test("the signal that fetch gets is aborted with a TimeoutError", async () => {
  const mocked = setup([() => never()], { timeoutMs: 40 });
  await failure(mocked);
  const { signal } = mocked.posts[0] ?? {};
  expect(signal?.aborted).toBe(true);
  expect(signal?.reason).toBeInstanceOf(Error);
  expect(signal?.reason).toMatchObject({ name: "TimeoutError", message: "The deadline of the call passed" });
});

describe("after the machine was asleep until the deadline or beyond, nothing more is sent", () => {
  test.each([10_000, 60_000])("for the next attempt, after %i ms of 10,000", async (asleepMs) => {
    const { client, clock, posts } = setup([refused(429)], { timeoutMs: 10_000 });
    const slow = client.tryCreatePlant(PLANT);
    await clock.sleep(asleepMs);
    expect(await slow).toMatchObject({ error: { kind: "timeout" }, outcome: "rejected", attempts: [{ status: 429 }] });
    expect([posts.length, clock.pending]).toEqual([1, 0]);
  });

  /** A call whose token arrives after the deadline of ten seconds; `pass` is what happens to its timers. */
  async function callWithLateToken(
    pass: (clock: TestClock) => Promise<void>,
    { isBlocking = false, deadlineTimerMs = 10_000 } = {},
  ) {
    let issue = (_token: string) => {};
    const token = () => {
      if (isBlocking) clock.elapsedMs += 60_000;
      return isBlocking ? "late" : new Promise<string>((resolve) => (issue = resolve));
    };
    const { client, clock, posts } = setup([created()], { token, timeoutMs: 10_000 });
    const after = clock.after.bind(clock);
    clock.after = (ms, callback) => after(ms === 10_000 ? deadlineTimerMs : ms, callback);
    const slow = client.tryCreatePlant(PLANT);
    if (!isBlocking) clock.elapsedMs += 60_000;
    issue("late");
    await pass(clock);
    expect(await slow).toMatchObject({ error: { kind: "timeout" }, outcome: "not-sent", attempts: [] });
    expect([posts.length, clock.pending]).toEqual([0, 0]);
  }

  test("with a token that arrives late", async () => {
    await callWithLateToken((clock) => clock.sleep(0));
  });
  test("after a token provider that blocked the process", async () => {
    await callWithLateToken((clock) => clock.sleep(0), { isBlocking: true });
  });
  test("if a later timer runs before the deadline's, as in Chromium", async () => {
    await callWithLateToken((clock) => clock.advance(200), { deadlineTimerMs: 60_100 });
  });
});

describe("a body that arrives after the process was held up beyond the deadline", () => {
  /** One call; its response comes after the deadline's timer has run, or before. */
  async function callWithLate(response: Response, isTimerFirst: boolean, token: TokenProvider = () => "secret") {
    let respond = (_response: Response) => {};
    const { client, clock } = setup([() => new Promise<Response>((resolve) => (respond = resolve))], {
      timeoutMs: 100,
      token,
    });
    const result = client.tryCreatePlant(PLANT);
    await flush();
    if (isTimerFirst) {
      const after = clock.after.bind(clock);
      clock.after = (ms, callback) => {
        respond(response);
        return after(ms, callback);
      };
    } else {
      clock.elapsedMs += 151;
      respond(response);
    }
    await clock.sleep(isTimerFirst ? 151 : 0);
    expect(clock.pending).toBe(0);
    return result;
  }

  test.each([true, false])("is read, in several chunks (the timer runs first: %s)", async (isTimerFirst) => {
    const body = new ReadableStream<string>({
      start(controller) {
        for (const chunk of ['{"name"', ':"Fern"', "}"]) controller.enqueue(chunk);
        controller.close();
      },
    }).pipeThrough(new TextEncoderStream());
    const headers = { "content-type": "application/json" };
    const result = await callWithLate(new Response(body, { headers }), isTimerFirst);
    expect(result).toMatchObject({ ok: true, plant: { name: "Fern" }, attempts: [{ reason: "ok" }] });
  });

  test.each([true, false])(
    "stays unfinished if its end is missing (the timer runs first: %s)",
    async (isTimerFirst) => {
      const { response, canceled } = stalled(200, '{"name":');
      expect(await callWithLate(response, isTimerFirst)).toMatchObject({
        error: { kind: "timeout" },
        outcome: "unknown",
      });
      await flush();
      expect(canceled()).toBe(true);
    },
  );

  test.each([
    [429, true],
    [429, false],
    [401, true],
    [401, false],
  ])("of a %i is not followed by another attempt or token (the timer runs first: %s)", async (status, isTimerFirst) => {
    const token = vi.fn(() => "secret");
    const result = await callWithLate(refused(status), isTimerFirst, token);
    expect(result).toMatchObject({ error: { status }, outcome: "rejected", attempts: [{ status }] });
    expect(token).toHaveBeenCalledTimes(1);
  });
});

describe("nothing is left behind", () => {
  const cases: [name: string, run: ReturnType<typeof setup>][] = [
    ["a success", setup([created()])],
    ["a refusal", setup([refused(400)])],
    ["a retry", setup([refused(429), created()])],
    ["a timeout", setup([() => never()], { timeoutMs: 5 })],
    ["a timeout in a token call", setup([], { timeoutMs: 5, token: () => never<string>() })],
    ["a token of a provider", setup([created()], { token: () => "t" })],
    ["a failed token call", setup([], { token: () => Promise.reject(new Error("no")) })],
    ["a stalled body", setup([stalled(200).response], { timeoutMs: 5 })],
  ];
  test.each(cases)("after %s: no timer, no listener", async (_, { client, clock, posts }) => {
    const controller = new AbortController();
    await clock.until(client.tryCreatePlant(PLANT, { signal: controller.signal }));
    await flush();
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
    for (const { signal } of posts) expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  test.each([0, 2])("after an abort by the observer of a refusal, with %i retries: no timer", async (maxRetries) => {
    const controller = new AbortController();
    const { client, clock, posts } = setup([refused(429)], { onAttempt: () => controller.abort(), maxRetries });
    const result = await client.tryCreatePlant(PLANT, { signal: controller.signal });
    expect(result).toMatchObject({ error: { kind: "aborted" }, outcome: "rejected" });
    expect([posts.length, clock.pending]).toEqual([1, 0]);
  });

  test("after a fault of the clock, which rejects the call: no timer", async () => {
    const { client, clock } = setup([refused(429)]);
    clock.random = () => {
      throw new RangeError("no entropy");
    };
    await expect(client.tryCreatePlant(PLANT)).rejects.toThrow(new RangeError("no entropy"));
    expect(clock.pending).toBe(0);
  });
});

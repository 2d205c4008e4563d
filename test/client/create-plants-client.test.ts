import { inspect } from "node:util";
import {
  type CreatePlantOptions,
  type CreatePlantResult,
  type CreatePlantsOptions,
  type CreatePlantsResult,
  createPlants,
  type NewPlant,
  PlantStoreClient,
  type PlantStoreClientOptions,
} from "plant-store-client";
import { expect, test, vi } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { numbered } from "./fixtures/creators.ts";
import { connectionRefused, connectionReset } from "./fixtures/network-errors.ts";
import { created, refused, reply } from "./fixtures/replies.ts";
import { BASE_URL, never, type Step, setup, TOKEN } from "./fixtures/setup.ts";
import { flush } from "./fixtures/test-clock.ts";

const limited = (seconds: number, status = 429) => refused(status, { "retry-after": `${seconds}` });

/** Something that a test lets happen. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Creates plants with a scripted client; `sent` has the id and the time of each POST. */
async function run(steps: Step[], count: number, options: PlantStoreClientOptions = {}, concurrency = 4) {
  const sent: { id: number; at: number }[] = [];
  const timed = steps.map((step): Step => {
    return (url, init) => {
      sent.push({ id: JSON.parse(init.body as string).id, at: clock.now() });
      if (step instanceof Error) throw step;
      return typeof step === "function" ? step(url, init) : step;
    };
  });
  const { client, clock, seen } = setup(timed, options);
  const list: CreatePlantsResult[] = [];
  const all = async () => {
    for await (const result of createPlants(client, numbered(count), { concurrency, clock })) list.push(result);
  };
  await clock.until(all());
  return { list, sent, clock, seen };
}

test("a refusal fails no plant: maxRetries, timeoutMs and the sixty seconds of a single call do not apply", async () => {
  const steps = [limited(90), limited(90, 503), created(), created()];
  const { list, sent } = await run(steps, 2, { maxRetries: 0, timeoutMs: 1_000 }, 1);
  expect(list.map(({ ok }) => ok)).toEqual([true, true]);
  expect(sent.map(({ id }) => id)).toEqual([0, 0, 0, 1]);
  expect(sent[1]?.at).toBeGreaterThanOrEqual(90_000);
  expect(sent[2]?.at).toBeGreaterThanOrEqual(180_000);
});

test("each plant is sent as the input yielded it, even if all of them are one object", async () => {
  async function* rows() {
    const row = { id: 0, name: "" };
    for (let id = 1; id <= 6; id++) yield Object.assign(row, { id, name: `Fern ${id}` });
  }
  const steps = [limited(1), limited(1), limited(2), ...Array.from({ length: 6 }, () => created())];
  const { client, clock, posts } = setup(steps, { maxRetries: 0 });
  const { list } = await clock.until(collect(createPlants(client, rows(), { clock })));
  expect(list.map(({ ok }) => ok)).toEqual([true, true, true, true, true, true]);
  const stored = posts.slice(3).map(({ body }) => body);
  expect(stored.sort()).toEqual([1, 2, 3, 4, 5, 6].map((id) => `{"id":${id},"name":"Fern ${id}"}`));
});

test("a creator gets the very object that the input yields, and may send others with the same options", async () => {
  class Row {
    readonly #number: number;
    constructor(number: number) {
      this.#number = number;
    }
    toPlant(): NewPlant {
      return { id: this.#number, name: `Fern ${this.#number}` };
    }
  }
  const { client, clock, posts } = setup([limited(1), created(), created()], { maxRetries: 0 });
  const creator: Pick<PlantStoreClient, "tryCreatePlant"> = {
    tryCreatePlant: async (row, options) => {
      const plant = (row as unknown as Row).toPlant();
      const result = await client.tryCreatePlant(plant, options);
      return result.ok ? client.tryCreatePlant({ ...plant, id: 100 }, options) : result;
    },
  };
  const input = new Row(3) as unknown as NewPlant;
  const { list } = await clock.until(collect(createPlants(creator, [input], { clock })));
  expect(list[0]?.input).toBe(input);
  expect(posts.map(({ body }) => body)).toEqual([
    '{"id":3,"name":"Fern 3"}',
    '{"id":3,"name":"Fern 3"}',
    '{"id":100,"name":"Fern 3"}',
  ]);
});

test.each([
  ["null", null, "it must be an object, not null"],
  ["a string", "Fern", 'it must be an object, not "Fern"'],
  ["an array", [1], "it must be an object, not an array"],
  [
    "an object whose getter throws",
    {
      name: "Fern",
      get id() {
        throw new Error("boom");
      },
    },
    "id cannot be read: boom",
  ],
  ["an inherited field", Object.create({ id: 1, name: "Fern" }), "as a property of the object itself"],
])("%s in the input fails alone, and its error says why", async (_, garbage, message) => {
  const { client, clock } = setup([created()]);
  const input = [garbage as NewPlant, { id: 1, name: "Fern" }];
  const { list } = await clock.until(collect(createPlants(client, input, { concurrency: 1, clock })));
  expect(list).toMatchObject([{ ok: false, error: { kind: "input", outcome: "not-sent" } }, { ok: true }]);
  const [failed] = list;
  expect(failed && !failed.ok && failed.error.message).toContain(message);
});

test("attempts of all tries are numbered from 1, in the result and for onAttempt", async () => {
  const { list, seen } = await run([limited(1), limited(1), created()], 1);
  expect(list[0]?.attempts.map(({ number, status, delayMs }) => [number, status, delayMs])).toEqual([
    [1, 429, undefined],
    [2, 429, undefined],
    [3, 200, undefined],
  ]);
  expect(seen.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test("attempts through a wrapper that drops the options, so that its client retries by itself, are numbered on", async () => {
  const steps = [limited(1), limited(1), connectionRefused(), created()];
  const { client, clock } = setup(steps, { maxRetries: 1 });
  const wrapper = { tryCreatePlant: (plant: NewPlant) => client.tryCreatePlant(plant) };
  const result = await clock.until(createPlants(wrapper, numbered(1), { clock }).next());
  expect(result.value.attempts).toMatchObject([
    { number: 1, status: 429, delayMs: expect.any(Number) },
    { number: 2, status: 429 },
    { number: 3, reason: "network" },
    { number: 4, status: 200 },
  ]);
  expect(result.value.attempts.every(Object.isFrozen)).toBe(true);
});

test("a wrapper that drops the options has the outcome of its refusals if it sends nothing after them", async () => {
  const { client, clock } = setup([limited(1), limited(1), connectionRefused(), connectionRefused()], {
    maxRetries: 1,
  });
  const wrapper = { tryCreatePlant: (plant: NewPlant) => client.tryCreatePlant(plant) };
  const result = await clock.until(createPlants(wrapper, numbered(1), { clock }).next());
  expect(result.value).toMatchObject({ ok: false, error: { kind: "connection", outcome: "rejected" } });
  expect(result.value.attempts).toHaveLength(4);
});

test("a wrapper that passes the options on is paced: no refusal counts as a retry, or has a deadline", async () => {
  const { client, clock, seen } = setup([limited(90), limited(90), created()], { maxRetries: 0, timeoutMs: 1_000 });
  const wrapper = {
    tryCreatePlant: (plant: NewPlant, options?: CreatePlantOptions) =>
      client.tryCreatePlant(plant, { ...options, headers: { "x-import": "1" } }),
  };
  const result = await clock.until(createPlants(wrapper, numbered(1), { clock }).next());
  expect(result.value).toMatchObject({ ok: true, attempts: [{ status: 429 }, { status: 429 }, { status: 200 }] });
  expect(seen.map(({ number }) => number)).toEqual([1, 2, 3]);
});

test("an error has the attempts of all tries, and the worst outcome of them", async () => {
  const steps = [connectionReset(), limited(1), refused(400)];
  const { list } = await run(steps, 1, { retry: "idempotent" });
  expect(list).toMatchObject([
    {
      ok: false,
      error: { kind: "api", status: 400, outcome: "unknown" },
      attempts: [
        { number: 1, reason: "network" },
        { number: 2, status: 429 },
        { number: 3, status: 400 },
      ],
    },
  ]);
  const [result] = list;
  expect(result && !result.ok && result.error.attempts).toEqual(result?.attempts);
});

test("a request that is proven unsent is retried by maxRetries, as in a single call", async () => {
  const { list, sent } = await run([connectionRefused(), connectionRefused(), created()], 1);
  expect(list).toMatchObject([{ ok: true, attempts: [{ reason: "network", delayMs: 250 }, {}, { number: 3 }] }]);
  expect(sent).toHaveLength(3);
  const failed = await run([connectionRefused(), connectionRefused()], 1, { maxRetries: 1 });
  expect(failed.list).toMatchObject([{ ok: false, error: { kind: "connection", outcome: "not-sent" } }]);
});

test("a failure that retry: idempotent covers is retried by maxRetries, as in a single call", async () => {
  const steps = [refused(500), refused(500), created()];
  const { list } = await run(steps, 1, { retry: "idempotent", maxRetries: 2 });
  expect(list).toMatchObject([{ ok: true, attempts: [{ status: 500 }, { status: 500 }, { status: 200 }] }]);
});

test("a retry of a connection does not start before another plant's Retry-After has passed", async () => {
  const steps = [connectionRefused(), limited(5), created(), created()];
  const { list, sent } = await run(steps, 2);
  expect(list.map(({ ok, attempts }) => [ok, attempts.length])).toEqual([
    [true, 2],
    [true, 2],
  ]);
  for (const { at } of sent.slice(2)) expect(at).toBeGreaterThanOrEqual(5_000);
});

test("a retry that is held back for another plant's Retry-After counts, and a refusal does not", async () => {
  const steps = [connectionRefused(), limited(5), connectionRefused(), connectionRefused(), connectionRefused()];
  const { list } = await run(steps, 2, { maxRetries: 1 });
  expect(list.sort((a, b) => a.index - b.index).map(({ attempts }) => attempts.map(({ reason }) => reason))).toEqual([
    ["network", "network"],
    ["status", "network", "network"],
  ]);
});

test("a plant that gets no token after a 429 was rejected, and its error says so", async () => {
  let asked = 0;
  const token = () => {
    if (++asked === 2) throw new Error("logged out");
    return TOKEN;
  };
  const { client, clock } = setup([limited(5)], { token });
  const { list } = await clock.until(collect(createPlants(client, numbered(1), { clock })));
  expect(list).toMatchObject([{ error: { kind: "token", outcome: "rejected" }, attempts: [{ status: 429 }] }]);
});

/**
 * A run of two plants: the second waits for its token until the first has been refused. The provider fails from its third
 * call on, `failures` times.
 */
function runWithLateToken(options: CreatePlantsOptions = {}, failures = 0) {
  const events = { firstSent: gate(), secondToken: gate(), refusal: gate() };
  let asked = 0;
  const token = async () => {
    if (++asked === 2) await events.secondToken.opened;
    if (asked > 2 && asked <= 2 + failures) throw new Error("logged out");
    return TOKEN;
  };
  // The second plant is pulled when the first provider call is over, and waits for one of its own.
  async function* slowly() {
    const [first, second] = numbered(2) as [NewPlant, NewPlant];
    yield first;
    await events.firstSent.opened;
    yield second;
  }
  const sentAt: number[] = [];
  const answer = async (): Promise<Response> => {
    sentAt.push(clock.now());
    if (sentAt.length > 1) return created();
    events.firstSent.open();
    await events.refusal.opened;
    return limited(5);
  };
  const { client, clock } = setup([answer, answer, answer], { token });
  const all = collect(createPlants(client, slowly(), { ...options, clock }));
  const refuseAndIssue = async () => {
    await flush();
    expect([sentAt, asked]).toEqual([[0], 2]);
    events.refusal.open();
    await flush();
    events.secondToken.open();
    await flush();
    expect(sentAt).toEqual([0]);
  };
  return { all, clock, sentAt, refuseAndIssue };
}

test("a plant whose token comes after the refusal of another is held back", async () => {
  const { all, clock, sentAt, refuseAndIssue } = runWithLateToken();
  await refuseAndIssue();
  const { list } = await clock.until(all);
  expect(list.map(({ ok }) => ok)).toEqual([true, true]);
  expect(sentAt).toHaveLength(3);
  for (const at of sentAt.slice(1)) expect(at).toBeGreaterThanOrEqual(5_000);
});

test("a plant that is held back, and gets no token when its turn comes, was not sent, and its error says so", async () => {
  const { all, clock, sentAt, refuseAndIssue } = runWithLateToken({}, 2);
  await refuseAndIssue();
  expect((await clock.until(all)).list).toMatchObject([
    { index: 0, ok: false, error: { kind: "token", outcome: "rejected" }, attempts: [{ status: 429 }] },
    { index: 1, ok: false, error: { kind: "token", outcome: "not-sent" }, attempts: [] },
  ]);
  expect(sentAt).toEqual([0]);
});

test("a plant that is held back before its first request was not sent, and its error says so", async () => {
  const controller = new AbortController();
  const { all, refuseAndIssue } = runWithLateToken({ signal: controller.signal });
  await refuseAndIssue();
  controller.abort("stop");
  const message = "The plant was not sent: the run ended before its turn";
  expect((await all).list).toMatchObject([
    { index: 0, ok: false, error: { kind: "api", outcome: "rejected" } },
    { index: 1, ok: false, error: { kind: "aborted", outcome: "not-sent", message, cause: "stop" }, attempts: [] },
  ]);
});

test("a plant that is held back after a failed attempt keeps that failure when the run ends", async () => {
  const controller = new AbortController();
  const { client, clock } = setup([connectionRefused(), limited(60)]);
  const list: CreatePlantsResult[] = [];
  const all = (async () => {
    const options = { signal: controller.signal };
    for await (const result of createPlants(client, numbered(2), { ...options, clock })) list.push(result);
  })().catch((reason: unknown) => reason);
  await clock.advance(10_000);
  controller.abort("stop");
  expect(await all).toBe("stop");
  expect(list).toMatchObject([
    { index: 0, ok: false, error: { kind: "connection", outcome: "not-sent" }, attempts: [{ number: 1 }] },
    { index: 1, ok: false, error: { kind: "api", outcome: "rejected" }, attempts: [{ number: 1 }] },
  ]);
});

test("a deadline counts from each try, not from the wait before it", async () => {
  const { list } = await run([limited(5), () => never<Response>()], 1, { timeoutMs: 2_000 });
  expect(list).toMatchObject([
    { ok: false, error: { kind: "timeout", outcome: "unknown" }, attempts: [{ status: 429 }, { reason: "timeout" }] },
  ]);
  expect(list[0]?.attempts[1]?.durationMs).toBe(2_000);
});

test("an error contains no token of an earlier try of its plant, and neither do the options of a call", async () => {
  let asked = 0;
  const tokenOf = (number: number) => `${TOKEN}-number-${number}`;
  const { client, clock } = setup(
    [
      limited(1),
      limited(1),
      reply(400, { error: 1, message: `known: ${tokenOf(1)}, ${tokenOf(2)}` }, { "x-seen": tokenOf(1) }),
    ],
    { token: () => tokenOf(++asked) },
  );
  const spy = vi.spyOn(client, "tryCreatePlant");
  const { list } = await clock.until(collect(createPlants(client, numbered(1), { clock })));
  expect(list).toMatchObject([{ error: { body: { message: "known: [redacted], [redacted]" } } }]);
  expect(asked).toBe(3);
  expect(inspect([list, spy.mock.calls], { showHidden: true, getters: true, depth: null })).not.toContain(TOKEN);
});

test("a 503 without Retry-After is not a refusal of the caller", async () => {
  const { list, sent } = await run([refused(503)], 1);
  expect(list).toMatchObject([{ ok: false, error: { status: 503, outcome: "unknown" } }]);
  expect(sent).toHaveLength(1);
});

test("a subclass with a tryCreatePlant of its own, and a spy, are called", async () => {
  const seen: (number | bigint)[] = [];
  class Logged extends PlantStoreClient {
    override tryCreatePlant(plant: NewPlant, options?: CreatePlantOptions): Promise<CreatePlantResult> {
      seen.push(plant.id);
      return super.tryCreatePlant(plant, options);
    }
  }
  const options = { baseUrl: BASE_URL, token: TOKEN, fetch: async () => created() };
  for await (const { ok } of createPlants(new Logged(options), numbered(2))) expect(ok).toBe(true);
  expect(seen).toEqual([0, 1]);

  const client = new PlantStoreClient(options);
  const spy = vi.spyOn(client, "tryCreatePlant");
  for await (const { ok } of createPlants(client, numbered(2))) expect(ok).toBe(true);
  expect(spy).toHaveBeenCalledTimes(2);
});

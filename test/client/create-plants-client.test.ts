import { createPlants, type NewPlant, type PlantStoreClient, type PlantStoreClientOptions } from "plant-store-client";
import { expect, test, vi } from "vitest";
import { collect } from "./fixtures/collect.ts";
import { numbered } from "./fixtures/creators.ts";
import { connectionRefused, connectionReset } from "./fixtures/network-errors.ts";
import { created, refused, reply } from "./fixtures/replies.ts";
import { type Step, setup } from "./fixtures/setup.ts";

const limited = (seconds: number, status = 429) => refused(status, { "retry-after": `${seconds}` });

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
  const { list } = await clock.until(collect(createPlants(client, numbered(count), { concurrency, clock })));
  return { list: list.sort((a, b) => a.index - b.index), sent, seen };
}

test("a refusal fails no plant: maxRetries, timeoutMs and the sixty seconds of a single call do not apply", async () => {
  const steps = [limited(90), limited(90, 503), created(), created()];
  const { list, sent } = await run(steps, 2, { maxRetries: 0, timeoutMs: 1_000 }, 1);
  expect(list.map(({ ok }) => ok)).toEqual([true, true]);
  expect(sent.map(({ id }) => id)).toEqual([0, 0, 0, 1]);
  expect(sent[1]?.at).toBeGreaterThanOrEqual(90_000);
  expect(sent[2]?.at).toBeGreaterThanOrEqual(180_000);
});

test("each try is a call with the run's signal and without retries, and nothing hidden", async () => {
  const { client, clock } = setup([limited(1), created()]);
  const spy = vi.spyOn(client, "tryCreatePlant");
  await clock.until(collect(createPlants(client, numbered(1), { clock })));
  const options = { signal: expect.any(AbortSignal), maxRetries: 0 };
  expect(spy.mock.calls).toEqual([1, 2].map(() => [{ id: 0, name: "Plant 0" }, options]));
  for (const [, given] of spy.mock.calls) expect(Reflect.ownKeys(given ?? {})).toEqual(["signal", "maxRetries"]);
});

test("a Proxy that calls the methods of a client creates plants, too", async () => {
  const { client, clock } = setup([created()]);
  const proxy = new Proxy(client, {
    get: (target, key, receiver) => Reflect.get(target, key, receiver)?.bind(target),
  });
  const { list } = await clock.until(collect(createPlants(proxy, numbered(1), { clock })));
  expect(list).toMatchObject([{ ok: true }]);
});

test("the headers of a result are those of its response", async () => {
  const response = reply(200, { name: "Fern" }, { "x-request-id": "7" });
  const { client, clock } = setup([response]);
  const { list } = await clock.until(collect(createPlants(client, numbered(1), { clock })));
  expect(list[0]?.ok && list[0].headers).toBe(response.headers);
});

test("each plant is sent as the input yielded it, even if all of them are one object", async () => {
  async function* rows() {
    const row = { id: 0, name: "" };
    for (let id = 1; id <= 6; id++) yield Object.assign(row, { id, name: `Fern ${id}` });
  }
  const steps = [limited(1), limited(1), limited(2), ...Array.from({ length: 6 }, created)];
  const { client, clock, posts } = setup(steps);
  const { list } = await clock.until(collect(createPlants(client, rows(), { clock })));
  expect(list.map(({ input }) => input.id).sort()).toEqual([1, 2, 3, 4, 5, 6]);
  const stored = posts.slice(3).map(({ body }) => body);
  expect(stored.sort()).toEqual([1, 2, 3, 4, 5, 6].map((id) => `{"id":${id},"name":"Fern ${id}"}`));
});

test("an object of a class is passed itself, so that a wrapper may use its methods", async () => {
  class Row {
    readonly #number = 3;
    toPlant(): NewPlant {
      return { id: this.#number, name: "Fern" };
    }
  }
  const { client, clock, posts } = setup([limited(1), created()]);
  const tryCreatePlant: PlantStoreClient["tryCreatePlant"] = (row, options) =>
    client.tryCreatePlant((row as unknown as Row).toPlant(), options);
  const input = new Row() as unknown as NewPlant;
  const { list } = await clock.until(collect(createPlants({ tryCreatePlant }, [input], { clock })));
  expect(list[0]?.input).toBe(input);
  expect(posts.map(({ body }) => body)).toEqual(Array(2).fill('{"id":3,"name":"Fern"}'));
});

test.each([null, "Fern", [1]])("%j in the input fails alone", async (garbage) => {
  const { client } = setup([created()]);
  const input = [garbage as unknown as NewPlant, { id: 1, name: "Fern" }];
  const { list } = await collect(createPlants(client, input, { concurrency: 1 }));
  expect(list).toMatchObject([{ ok: false, outcome: "not-sent", error: { kind: "input" } }, { ok: true }]);
});

test("attempts of all tries are numbered on, also through a wrapper whose client retries by itself", async () => {
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
});

test("outcome and attempts of all tries are those of a result and of its error, which is the last try's", async () => {
  const steps = [connectionReset(), limited(1), refused(400)];
  const { list } = await run(steps, 1, { retry: "idempotent" });
  expect(list).toMatchObject([
    {
      ...{ ok: false, outcome: "unknown" },
      attempts: [{ reason: "network" }, { status: 429 }, { status: 400 }],
      error: { kind: "api", status: 400, outcome: "unknown", retryable: false, attempts: { length: 3 } },
    },
  ]);
  const message = "POST https://plants.test/v1/plants returned 400: no; the service refused it";
  expect(list[0]?.error?.message).toBe(`${message}; an earlier try may have created the plant`);
  expect(list[0]?.error?.attempts).toBe(list[0]?.attempts);
});

test("a gateway's 503 with Retry-After is no refusal: it is sent again only if a second request does no harm", async () => {
  const page = () => reply(503, "<title>503 Backend fetch failed</title>", { "retry-after": "1" });
  const { list } = await run([page], 1);
  expect(list).toMatchObject([{ ok: false, outcome: "unknown" }]);
  const again = await run([page, created()], 1, { retry: "idempotent" });
  expect(again.list).toMatchObject([{ ok: true, attempts: { length: 2 } }]);
  expect(again.sent.map(({ at }) => at >= 1_000)).toEqual([false, true]);
});

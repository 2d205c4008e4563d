import { createMockPlantStore, type Fault, faults, type InjectOptions } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { post } from "./post.ts";

const plant = (id: number | bigint, name = "Fern", tag = "green") => `{"id":${id},"name":"${name}","tag":"${tag}"}`;

describe("a response in place of the service's own", () => {
  it("apiError is a 400 with an error body", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.apiError(-17, "the greenhouse is full"));
    expect(await post(mock, plant(1))).toEqual({
      status: 400,
      headers: { "content-type": "application/json" },
      text: '{"error":-17,"message":"the greenhouse is full"}',
    });
    expect(mock.plants.size).toBe(0);
  });

  it("is the one that was injected, even if the object is changed afterwards", async () => {
    const mock = createMockPlantStore();
    const body = { message: ["as injected"] };
    mock.inject(faults.reply({ status: 503, body }));
    body.message[0] = "as changed";
    expect((await post(mock, plant(1))).text).toBe('{"message":["as injected"]}');
  });

  it("rateLimited is a 429 with Retry-After", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.rateLimited(2));
    expect(await post(mock, plant(1))).toEqual({
      status: 429,
      headers: { "content-type": "application/json", "retry-after": "2" },
      text: '{"error":42901,"message":"too many requests; try again after 2 s (injected fault #1)"}',
    });
  });

  it("unauthorized is a 401 with WWW-Authenticate", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.unauthorized());
    expect(await post(mock, plant(1))).toEqual({
      status: 401,
      headers: { "content-type": "application/json", "www-authenticate": 'Bearer error="invalid_token"' },
      text: '{"error":40102,"message":"Authorization: the bearer token is not valid (injected fault #1)"}',
    });
  });

  it("a stored reply hides that the plant exists, or that the service refused it", async () => {
    const mock = createMockPlantStore({ duplicateIds: "reject" });
    mock.inject(faults.reply({ status: 502 }, { stored: true }), { times: 2 });
    expect([(await post(mock, plant(1))).status, (await post(mock, plant(1))).status]).toEqual([502, 502]);
    expect([...mock.plants].map(({ id }) => id)).toEqual([1]);
    expect(mock.requests.last).toMatchObject({ status: 502, provenance: "injected" });
  });

  it.each([
    [{ status: 503 }, {}, ""],
    [{ status: 204, headers: { "X-A": "1" } }, { "x-a": "1" }, ""],
    [{ status: 200, body: "plain" }, {}, "plain"],
    [{ status: 200, headers: { "content-type": "text/html" }, body: "<p>" }, { "content-type": "text/html" }, "<p>"],
    [{ status: 200, body: { a: [1] } }, { "content-type": "application/json" }, '{"a":[1]}'],
    [{ status: 200, body: null }, { "content-type": "application/json" }, "null"],
    [
      { status: 418, headers: { "CONTENT-TYPE": "application/problem+json" }, body: { a: 1 } },
      { "content-type": "application/problem+json" },
      '{"a":1}',
    ],
  ])("reply(%j) goes out as it says", async (reply, headers, text) => {
    const mock = createMockPlantStore();
    mock.inject(faults.reply(reply));
    expect(await post(mock, plant(1))).toEqual({ status: reply.status, headers, text });
  });
});

describe("which requests a fault affects", () => {
  it("the next one only, or as many as `times` says", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.rateLimited(1));
    mock.inject(faults.apiError(1, "no"), { times: 2 });
    const statuses = [];
    for (let id = 0; id < 4; id++) statuses.push((await post(mock, plant(id))).status);
    expect(statuses).toEqual([429, 400, 400, 200]);
    mock.inject(faults.apiError(1, "no"), { times: Number.POSITIVE_INFINITY });
    for (let id = 0; id < 50; id++) expect((await post(mock, plant(id))).status).toBe(400);
    mock.verify();
  });

  it("the first that matches, in the order injected", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.apiError(1, "first"), { when: { id: 2 } });
    mock.inject(faults.apiError(2, "second"));
    mock.inject(faults.apiError(3, "third"));
    const codes = [];
    for (const id of [1, 2, 2]) codes.push(JSON.parse((await post(mock, plant(id))).text).error);
    expect(codes).toEqual([2, 1, 3]);
  });

  it.each([
    [{ id: 7 }, true],
    [{ id: 7n }, true],
    [{ id: 8 }, false],
    [{ name: "Fern" }, true],
    [{ tag: "green", id: 7, name: "Fern" }, true],
    [{ id: undefined, name: undefined, tag: undefined }, true],
    [(request: { plant?: { tag?: string | undefined } }) => request.plant?.tag === "green", true],
    [(request: { method: string }) => request.method === "GET", false],
  ])("those that matcher %# matches", async (when, matches) => {
    const mock = createMockPlantStore();
    mock.inject(faults.apiError(1, "no"), { when });
    expect((await post(mock, plant(7))).status).toBe(matches ? 400 : 200);
  });

  it("an id beyond 2^53, by its exact value", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.apiError(1, "no"), { when: { id: 9007199254740993n } });
    expect((await post(mock, plant(9007199254740992n))).status).toBe(200);
    expect((await post(mock, plant(9007199254740993n))).status).toBe(400);
  });

  it("none without a plant if `when` names a field", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.hang(), { when: { name: "Fern" } });
    expect((await post(mock, "{")).status).toBe(400);
    expect((await post(mock, new Uint8Array([0xff]))).status).toBe(400);
  });

  it("none if `when` returns nothing", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.hang(), { when: (() => undefined) as never });
    expect((await post(mock, plant(1))).status).toBe(200);
    expect(() => mock.verify()).not.toThrow("of the fault hang threw");
  });
});

describe("a fault with a probability", () => {
  /** Which of a hundred requests have the status 400. */
  async function affected(options: InjectOptions, mock = createMockPlantStore({ time: "virtual" })) {
    mock.inject(faults.apiError(1, "by chance"), options);
    const ids: number[] = [];
    for (let id = 1; id <= 100; id++) if ((await post(mock, plant(id))).status === 400) ids.push(id);
    expect(() => mock.verify()).not.toThrow();
    return ids;
  }

  it("affects about that share of the requests, in virtual time the same ones in each run", async () => {
    const ids = await affected({ probability: 0.3 });
    expect(ids.length).toBeGreaterThan(15);
    expect(ids.length).toBeLessThan(45);
    expect(await affected({ probability: 0.3 })).toEqual(ids);
    expect((await affected({ probability: 0.3 }, createMockPlantStore() as never)).length).toBeGreaterThan(0);
  });

  it("affects every request if it is 1, only those that match `when`, and at most `times`", async () => {
    expect(await affected({ probability: 1 })).toHaveLength(100);
    expect(await affected({ probability: 1, when: { id: 7 } })).toEqual([7]);
    expect(await affected({ probability: 0.5, times: 3 })).toHaveLength(3);
  });

  it("leaves the other requests to the next fault, and is not reported as unused", async () => {
    const mock = createMockPlantStore();
    mock.inject(faults.hang(), { probability: Number.MIN_VALUE });
    mock.inject(faults.apiError(1, "no"));
    expect((await post(mock, plant(1))).status).toBe(400);
    mock.verify();
  });
});

it("a delayed response comes from a service that has stored the plant at once", async () => {
  const mock = createMockPlantStore();
  mock.inject(faults.delay(0));
  const reply = post(mock, plant(1));
  expect(mock.plants.size).toBe(1);
  expect(mock.requests.last?.status).toBeUndefined();
  expect((await reply).text).toBe('{"name":"Fern","tag":"green"}');
  expect(mock.requests.last).toMatchObject({ status: 200, provenance: "injected" });
  // In whole microseconds.
  const { durationMs = 0 } = mock.requests.last ?? {};
  expect(durationMs).toBe(Number(durationMs.toFixed(3)));
});

describe("inject rejects", () => {
  const mock = createMockPlantStore();

  it.each<[Fault, string]>([
    [undefined as never, `fault.type: must be one of ${Object.keys(faults).join(", ")}; received undefined`],
    [{ type: "toString" } as never, "fault.type: must be one of"],
    [{ type: "hang", ms: 1 } as never, 'unknown field "fault.ms"; known fields: type'],
    [faults.apiError(2 ** 31, "x"), "fault.code: must be an integer from -2147483648 to 2147483647"],
    [faults.apiError(1, 2 as never), "fault.message: must be a string"],
    [faults.rateLimited(-1), "fault.retryAfterSeconds: must be an integer from 0 to 2147483647"],
    [faults.delay(2 ** 31), "fault.ms: must be an integer from 0 to 2147483647"],
    [faults.reply({ status: 500 }, { stored: 1 as never }), `fault.stored: ${mustBe.boolean} 1`],
    [faults.reply({ status: 600 }), `fault.status: ${mustBe.integer(200, 599)} 600`],
    [faults.reply({ status: 204, body: "" }), "fault: a response with status 204 has no body; leave it out"],
    [
      faults.reply({ status: 200, body: JSON.parse(`${"[".repeat(501)}${"]".repeat(501)}`) }),
      "fault.body: must be a string, or a value that JSON.stringify accepts, at most 500 levels deep",
    ],
    [
      faults.reply({ status: 200, body: () => 1 }),
      "fault.body: must be a string, or a value that JSON.stringify accepts",
    ],
    [faults.reply({ status: 200, headers: { "a b": "" } }), 'fault.headers: "a b" is not a valid header name'],
    [
      faults.reply({ status: 200, headers: { a: "1\r\nb: 2" } }),
      'fault.headers: "a" must be Latin-1 characters without line breaks; character 2 is U+000D',
    ],
    [faults.reply({ status: 200, headers: { a: 1 as never } }), `fault.headers: "a" ${mustBe.string} a number`],
    [
      faults.reply({ status: 200, headers: new Headers({ a: "b" }) as never }),
      "fault.headers: must be a plain object, such as Object.fromEntries(map); received a Headers",
    ],
    ...["Connection", "Trailer", "Transfer-Encoding"].map((name): [Fault, string] => [
      faults.reply({ status: 200, headers: { [name]: "x" } }),
      `fault.headers: ${name} is set by the mock itself`,
    ]),
    [
      faults.reply({ status: 200, headers: { "content-Length": "1" } }),
      "fault.headers: content-Length is set by the mock itself; leave it out",
    ],
  ])("fault %#", (fault, message) => {
    expect(() => mock.inject(fault)).toThrow(message);
  });

  it("a body that overflows the stack, on a system with a small one too, by its depth alone", () => {
    let body: unknown = "deep";
    for (let level = 0; level < 100_000; level++) body = [body];
    expect(() => mock.inject(faults.reply({ status: 200, body }))).toThrow(/at most 500 levels deep$/);
  });

  it.each([
    [{ wehn: { id: 1 } } as never, 'unknown option "wehn"; known options: times, probability, when'],
    [{ times: 0 }, 'times: must be an integer from 1, or Infinity ("unlimited" in JSON), not 0'],
    ...[0, -0.5, 1.01, Number.NaN, "0.5" as never].map((probability): [InjectOptions, string] => [
      { probability },
      "probability: must be a number above 0 and at most 1",
    ]),
    [{ when: null as never }, `when ${mustBe.object} null`],
    [{ when: { color: 1 } as never }, 'unknown field "when.color"; known fields: id, name, tag'],
    [{ when: { id: 1.5 } }, `when.id: ${mustBe.int64} 1.5`],
    [{ when: { tag: 1 as never } }, "when.tag: must be a string"],
  ])("options %j", (options, message) => {
    expect(() => mock.inject(faults.hang(), options)).toThrow(message);
  });

  it("and keeps nothing of a rejected fault", () => mock.verify());
});

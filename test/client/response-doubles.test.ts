import { expect, test } from "vitest";
import { failure } from "./fixtures/outcome-of.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

/** What an application's test hands in for a Response: not always a whole one. */
const doubles: [name: string, double: object][] = [
  ["status, Headers and text", { status: 200, headers: new Headers(), text: async () => '{"name":"M"}' }],
  ["no headers", { status: 200, text: async () => '{"name":"M"}' }],
  [
    "headers as a plain object",
    { status: 200, headers: { "content-type": "application/json" }, text: async () => '{"name":"M"}' },
  ],
  [
    "headers as a Map",
    { status: 200, headers: new Map([["content-type", "application/json"]]), text: async () => '{"name":"M"}' },
  ],
  ["a body of another kind", { status: 200, headers: new Headers(), body: {}, text: async () => '{"name":"M"}' }],
  ["a body of null", { status: 200, headers: new Headers(), body: undefined, text: async () => '{"name":"M"}' }],
];
test.each(doubles)("a double with %s is read", async (_, double) => {
  const { client } = setup([() => double as Response]);
  const result = await client.tryCreatePlant(PLANT);
  expect(result).toMatchObject({ ok: true, plant: { name: "M" }, status: 200 });
  expect(result.ok && result.headers).toBeInstanceOf(Headers);
});

test("a double with HTML in plain headers is recognized by its media type", async () => {
  const double = { status: 200, headers: { "Content-Type": "text/html" }, text: async () => '{"name":"M"}' };
  expect(await failure(setup([() => double as never]))).toMatchObject({ reason: "media-type" });
});

test("the text of a double counts against the limit", async () => {
  const double = { status: 400, headers: new Headers(), text: async () => "x".repeat(11) };
  const error = await failure(setup([() => double as Response], { maxResponseBytes: 10 }));
  expect(error).toMatchObject({ reason: "status", bodyText: "x".repeat(10) });
});

test("a double with a text of exactly the limit is read, with one character more it is too large", async () => {
  const double = { status: 200, headers: new Headers(), text: async () => '{"name":"M"}' };
  const { client } = setup([() => double as Response], { maxResponseBytes: 12 });
  expect(await client.createPlant(PLANT)).toEqual({ name: "M" });
  const error = await failure(setup([() => double as Response], { maxResponseBytes: 11 }));
  expect(error).toMatchObject({ reason: "too-large", bodyText: '{"name":"M"' });
});

const broken: [name: string, double: unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a text", "ok"],
  ["an empty object", {}],
  ["a text() that gives no text", { status: 200, headers: new Headers(), text: async () => ({ name: "M" }) }],
  [
    "a text() that throws",
    {
      status: 200,
      headers: new Headers(),
      text: () => {
        throw new Error("used");
      },
    },
  ],
  ["headers that cannot be read", { status: 200, headers: { "in valid": "1" }, text: async () => "{}" }],
  [
    "a body that is read already",
    {
      status: 200,
      headers: new Headers(),
      body: {
        getReader: () => {
          throw new TypeError("locked");
        },
      },
    },
  ],
  [
    "a body of texts",
    new Response(
      new ReadableStream({
        start: (c) => {
          c.enqueue("text");
          c.close();
        },
      }),
    ),
  ],
  [
    "a status that throws",
    {
      get status() {
        throw new Error("status");
      },
    },
  ],
];
const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
broken.push([
  "a body that fails with a revoked proxy",
  new Response(new ReadableStream({ pull: (c) => c.error(revoked) })),
]);
const throwing = new Headers();
throwing.get = () => {
  throw new Error("get");
};
broken.push(["headers whose get throws", { status: 200, headers: throwing, text: async () => '{"name":"M"}' }]);

test.each(broken)("a fetch that resolves with %s is a connection error, and the plant may exist", async (_, double) => {
  const mocked = setup([async () => double as Response]);
  const error = await failure(mocked);
  expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
  expect(mocked.posts).toHaveLength(1);
  expect(mocked.clock.pending).toBe(0);
});

test.each([
  ["undefined", undefined],
  ["null", null],
  ["a text", "ok"],
  ["a plant", { name: "M" }],
  ["a double with only json()", { ok: true, status: 200, json: async () => ({ name: "M" }) }],
])("the message about a fetch that resolves to %s says what it must resolve to", async (_, double) => {
  const error = await failure(setup([async () => double as never]));
  expect(error.message).toContain(
    "failed: fetch must resolve to a Response, with a status and a body or text(); the plant",
  );
});

test.each([null, undefined, ""])(
  "a fetch that throws %o at once is reported like one that rejects with it",
  async (thrown) => {
    const rejects = await failure(setup([() => Promise.reject(thrown)]));
    const throws = await failure(
      setup([
        () => {
          throw thrown;
        },
      ]),
    );
    expect(throws).toMatchObject({ kind: "connection", outcome: "unknown", message: rejects.message });
    expect(throws.cause).toBe(thrown);
  },
);

import { expect, test } from "vitest";
import { eventOf, failure } from "./fixtures/outcome-of.ts";
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

test("a double with a text of exactly the limit in characters is read, and no more", async () => {
  const text = '{"name":"é"}';
  const double = { status: 200, headers: new Headers(), text: async () => text };
  const { client } = setup([() => double as Response], { maxResponseBytes: text.length });
  expect(await client.createPlant(PLANT)).toEqual({ name: "é" });
  const error = await failure(setup([() => double as Response], { maxResponseBytes: text.length - 1 }));
  expect(error).toMatchObject({ reason: "too-large", bodyText: '{"name":"é"' });
});

const headers = new Headers();
const fails = () => {
  throw new Error("used");
};
const texts = new ReadableStream({
  start: (controller) => {
    controller.enqueue("text");
    controller.close();
  },
});
const broken: [name: string, double: unknown][] = [
  ["undefined", undefined],
  ["null", null],
  ["a text", "ok"],
  ["a plant", { name: "M" }],
  ["Response.error()", Response.error()],
  ["a double with only json()", { ok: true, status: 200, json: async () => ({ name: "M" }) }],
  ["a text() that gives no text", { status: 200, headers, text: async () => ({ name: "M" }) }],
  ["a text() that throws", { status: 200, headers, text: fails }],
  ["a body that is read already", { status: 200, headers, body: { getReader: fails } }],
  ["a body of texts", new Response(texts)],
];

test.each(broken)("a fetch that resolves to %s is a connection error, and the plant may exist", async (_, double) => {
  const mocked = setup([async () => double as Response]);
  const error = await failure(mocked);
  expect(error).toMatchObject({ kind: "connection", outcome: "unknown" });
  if (!(double as Partial<Response> | undefined)?.headers) {
    const rule = "fetch must resolve to a Response, with a status and a body or text()";
    expect(eventOf(error)).toBe(`failed: ${rule}`);
  }
  expect(mocked.posts).toHaveLength(1);
  expect(mocked.clock.pending).toBe(0);
});

import { gzipSync } from "node:zlib";
import { createMockPlantStore } from "plant-store-client/mock";
import { expect, it } from "vitest";
import { methodsOf } from "../declared-operations.ts";
import { ABOVE_INT64 } from "../int64-values.ts";
import { mustBe } from "../rules-in-words.ts";
import { post, read } from "./post.ts";

it("returns a valid plant as the contract declares, without the id", async () => {
  const mock = createMockPlantStore();
  expect(await post(mock, '{"id":7,"name":"Monstera deliciosa","tag":"Araceae"}')).toEqual({
    status: 200,
    headers: { "content-type": "application/json" },
    text: '{"name":"Monstera deliciosa","tag":"Araceae"}',
  });
  expect((await post(mock, '{"id":8,"name":"Fern"}')).text).toBe('{"name":"Fern"}');
});

it.each([
  ["", "body: is required; send a NewPlant as JSON", 40004],
  ["{'id':1}", `body: ${mustBe.json} "{'id':1}"`, 40004],
  ["\ufeff{}", "body: must not begin with a byte order mark; remove it", 40003],
  ["null", `body: ${mustBe.object} null`, 40005],
  ["[1]", `body: ${mustBe.object} an array`, 40005],
  ["{}", "/id: is required; /name: is required", 40005],
  ['{"id":1.5,"name":"x"}', `/id: ${mustBe.int64} 1.5`, 40005],
  ['{"id":1e-400,"name":"x"}', `/id: ${mustBe.int64} NaN`, 40005],
  ['{"id":9223372036854775808,"name":"x"}', `/id: ${mustBe.int64} ${ABOVE_INT64}`, 40005],
  ['{"id":"1","name":"x"}', `/id: ${mustBe.int64} "1": convert the text to an integer`, 40005],
  ['{"id":1,"name":1,"tag":null}', `/name: ${mustBe.string} 1; /tag: ${mustBe.string} null`, 40005],
  ["[".repeat(400_000), `body: ${mustBe.json} "${"[".repeat(40)}…"`, 40004],
  [`${"[".repeat(400_000)}${"]".repeat(400_000)}`, `body: ${mustBe.object} an array`, 40005],
])("answers a body with 400 and a message that names the rule: $1", async (body, message, error) => {
  for (const form of [body, new TextEncoder().encode(body)]) {
    const reply = await post(createMockPlantStore(), form);
    expect(reply.status).toBe(400);
    expect(reply.headers).toEqual({ "content-type": "application/json" });
    expect(reply.text).toBe(JSON.stringify({ error, message }));
  }
});

it("accepts a deeply nested field that the contract does not name", async () => {
  const mock = createMockPlantStore();
  const nested = `${'{"a":'.repeat(100_000)}9007199254740993${"}".repeat(100_000)}`;
  expect((await post(mock, `{"x":${nested},"id":9007199254740993,"name":"x"}`)).text).toBe('{"name":"x"}');
  expect([...mock.plants]).toEqual([{ id: 9007199254740993n, name: "x" }]);
});

it("rejects ill-formed UTF-8 with 400", async () => {
  const reply = await post(createMockPlantStore(), new Uint8Array([0x22, 0xff, 0x22]));
  expect(reply.status).toBe(400);
  expect(reply.text).toBe('{"error":40003,"message":"body: must be valid UTF-8"}');
});

it("says how to send a body that it rejects because it is compressed", async () => {
  const mock = createMockPlantStore();
  const headers = {
    Authorization: `Bearer ${mock.token}`,
    "Content-Type": "application/json",
    "Content-Encoding": "gzip",
  };
  const reply = await post(mock, gzipSync('{"id":1,"name":"Fern"}'), { headers });
  expect(reply.status).toBe(400);
  expect(reply.text).toBe(
    '{"error":40003,"message":"body: must be valid UTF-8; send it without Content-Encoding: gzip"}',
  );
});

it("rejects a body above the limit with 413, counted in bytes", async () => {
  const mock = createMockPlantStore({ maxBodyBytes: 30 });
  const message = '{"error":41301,"message":"body: must be at most 30 bytes"}';
  expect(await post(mock, `{"id":1,"name":"${"x".repeat(30)}"}`)).toMatchObject({ status: 413, text: message });
  expect(await post(mock, `{"id":1,"name":"${"ä".repeat(7)}"}`)).toMatchObject({ status: 413, text: message });
  expect(await post(mock, new Uint8Array(31))).toMatchObject({ status: 413, text: message });
  expect(await post(mock, '{"id":1,"name":"xxxxxxxxxxx"}')).toMatchObject({ status: 200 });
  expect(await post(mock, new TextEncoder().encode('{"id":1,"name":"xxxxxxxxxxxx"}'))).toMatchObject({ status: 200 });
});

it.each([
  ["application/json", 200],
  ["application/json; charset=utf-8", 200],
  ["APPLICATION/JSON", 200],
  ["APPLICATION/JSON;charset=UTF-8", 200],
  ["xapplication/json", 400],
  ["text/plain", 400],
  ["application/vnd.plant+json", 400],
  ["application/jsonp", 400],
  ["application/json, text/plain", 400],
  ["no Content-Type", 400],
])("answers the media type %s with %d", async (type, status) => {
  const mock = createMockPlantStore();
  const headers = { Authorization: "Bearer t", ...(type.includes("/") && { "Content-Type": type }) };
  const reply = await post(mock, new TextEncoder().encode('{"id":1,"name":"x"}'), { headers });
  expect(reply.status).toBe(status);
  if (status === 400) {
    expect(reply.text).toBe(`{"error":40002,"message":"Content-Type: must be application/json; received ${type}"}`);
  }
});

const NO_BEARER = "must be `Bearer <token>`; received no token, or another scheme";

it.each([
  ["no header", {}, 401, "Bearer", 40101, NO_BEARER],
  ["an empty header", { Authorization: "" }, 401, "Bearer", 40101, NO_BEARER],
  ["another scheme", { Authorization: "Basic eA==" }, 401, "Bearer", 40101, NO_BEARER],
  ["a token without its scheme", { Authorization: "eA==" }, 401, "Bearer", 40101, NO_BEARER],
  ["no token", { Authorization: "Bearer" }, 401, "Bearer", 40101, NO_BEARER],
  [
    "a token with a space",
    { Authorization: "Bearer a b" },
    401,
    'Bearer error="invalid_token"',
    40102,
    "must be `Bearer <token>`; the token contains a space",
  ],
  [
    "several headers",
    [
      ["Authorization", "Bearer a"],
      ["Authorization", "Bearer b"],
    ],
    400,
    'Bearer error="invalid_request"',
    40001,
    "must be sent once, as `Bearer <token>`; received several values",
  ],
] as const)("answers %s with what RFC 6750 asks for", async (_case, headers, status, challenge, error, message) => {
  const reply = await post(createMockPlantStore(), "{", { headers: headers as HeadersInit });
  expect(reply).toEqual({
    status,
    headers: { "content-type": "application/json", "www-authenticate": challenge },
    text: JSON.stringify({ error, message: `Authorization: ${message}` }),
  });
});

it("rejects an invalid token as RFC 6750 requires", async () => {
  const mock = createMockPlantStore({ auth: { tokens: ["known"] } });
  expect(await post(mock, "{", { headers: { Authorization: "Bearer other" } })).toEqual({
    status: 401,
    headers: { "content-type": "application/json", "www-authenticate": 'Bearer error="invalid_token"' },
    text: '{"error":40102,"message":"Authorization: the bearer token is not valid; send a token that the service accepts"}',
  });
});

it("accepts the scheme in any case", async () => {
  const headers = { Authorization: "bEARER  t", "Content-Type": "application/json" };
  expect((await post(createMockPlantStore(), '{"id":1,"name":"x"}', { headers })).status).toBe(200);
});

it("rejects other methods with 405 and Allow, and HEAD without a body", async () => {
  const mock = createMockPlantStore();
  const allow = methodsOf("/plants");
  expect(await read(await mock.fetch(`${mock.baseUrl}/plants`, { method: "PURGE" }))).toEqual({
    status: 405,
    headers: { "content-type": "application/json", allow },
    text: `{"error":40501,"message":"PURGE /plants: must be ${allow}; the path has no other methods"}`,
  });
  expect(await read(await mock.fetch(`${mock.baseUrl}/plants`, { method: "HEAD" }))).toMatchObject({
    status: 405,
    text: "",
  });
});

it("rejects an unknown query parameter with 404, and an empty query is none", async () => {
  const mock = createMockPlantStore();
  const send = (query: string) => mock.fetch(`${mock.baseUrl}/plants${query}`, { method: "POST" });
  const { status, text } = await read(await send("?x=1"));
  expect([status, JSON.parse(text).message]).toEqual([
    404,
    'POST /plants?x=1: unknown query parameter "x"; expected none',
  ]);
  expect((await send("?")).status).toBe(401);
});

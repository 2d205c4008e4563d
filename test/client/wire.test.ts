import { describe, expect, test } from "vitest";
import { VERSION } from "../../src/platform/version.ts";
import { INT64_MAX, INT64_MIN } from "../int64-values.ts";
import { created } from "./fixtures/replies.ts";
import { PLANT, setup, URL_OF_PLANTS } from "./fixtures/setup.ts";

test("one create is one POST of one JSON object with a bearer token", async () => {
  const { client, posts } = setup([created()], { token: "t" });
  expect(await client.createPlant({ id: 7, name: "Monstera", tag: "indoor" })).toEqual({
    name: "Monstera",
    tag: "indoor",
  });
  expect(posts).toHaveLength(1);
  const [post] = posts;
  expect(post?.url).toBe(URL_OF_PLANTS);
  expect(post?.body).toBe('{"id":7,"name":"Monstera","tag":"indoor"}');
  expect(post?.init).toMatchObject({ method: "POST", redirect: "manual" });
  expect(post?.signal).toBeInstanceOf(AbortSignal);
  expect([...(post?.headers ?? [])]).toEqual([
    ["accept", "application/json"],
    ["authorization", "Bearer t"],
    ["content-type", "application/json"],
    ["user-agent", `plant-store-client/${VERSION}`],
  ]);
});

describe("the id is a bare JSON integer, digit for digit", () => {
  test.each<[number | bigint, string]>([
    [0, "0"],
    [-0, "0"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [Number.MIN_SAFE_INTEGER, "-9007199254740991"],
    [9007199254740993n, "9007199254740993"],
    [INT64_MAX, "9223372036854775807"],
    [INT64_MIN, "-9223372036854775808"],
  ])("%s", async (id, digits) => {
    const { client, posts } = setup([created()]);
    await client.createPlant({ id, name: "M" });
    expect(posts[0]?.body).toBe(`{"id":${digits},"name":"M"}`);
  });
});

describe("texts are JSON, and survive", () => {
  test.each([
    ["quotes and backslashes", 'a"b\\c', '"a\\"b\\\\c"'],
    ["control characters", "\b\f\n\r\t\0\u001f\u007f", '"\\b\\f\\n\\r\\t\\u0000\\u001f\u007f"'],
    ["line separators", "\u2028\u2029", '"\u2028\u2029"'],
    ["letters beyond ASCII", "Größe 🌱", '"Größe 🌱"'],
    ["a high surrogate alone", "a\ud83cb", '"a\\ud83cb"'],
    ["a low surrogate alone", "\udf31", '"\\udf31"'],
  ])("%s", async (_, text, literal) => {
    const { client, posts } = setup([created()]);
    await client.createPlant({ id: 1, name: text, tag: text });
    expect(posts[0]?.body).toBe(`{"id":1,"name":${literal},"tag":${literal}}`);
    expect(JSON.parse(posts[0]?.body ?? "")).toEqual({ id: 1, name: text, tag: text });
  });
});

test("the global fetch is looked up at each call", async () => {
  const { client } = setup([], { fetch: undefined });
  const before = globalThis.fetch;
  try {
    for (const name of ["first", "second"]) {
      globalThis.fetch = async () => Response.json({ name });
      expect(await client.createPlant(PLANT)).toEqual({ name });
    }
  } finally {
    globalThis.fetch = before;
  }
});

test("fetch is called without a this, as the global one demands in browsers", async () => {
  let self: unknown = "unset";
  const fetch = async function (this: unknown) {
    self = this;
    return created();
  };
  const { client } = setup([], { fetch });
  await client.createPlant(PLANT);
  expect(self).toBeUndefined();
});

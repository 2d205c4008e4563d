import { type NewPlant, newPlantSchema, type PlantStoreInputError } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { ABOVE_INT64, BELOW_INT64 } from "../int64-values.ts";
import { mustBe } from "../rules-in-words.ts";
import { errorOf } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

const ROUNDED = "; above 2^53 a number may be rounded: pass a bigint";

type Issue = [path: string, message: string];

type Refusal = [name: string, plant: unknown, ...issues: Issue[]];

/** Ids that are not an int64, as their issues show them. */
const ids: [id: unknown, received: string][] = [
  [null, "null"],
  ["seven", '"seven"'],
  ["7", '"7": convert the text to an integer'],
  ["x".repeat(40), `"${"x".repeat(40)}"`],
  ["x".repeat(41), `"${"x".repeat(40)}…"`],
  [`${ABOVE_INT64}`, `"${ABOVE_INT64}"`],
  [Number.NaN, "NaN"],
  [Number.POSITIVE_INFINITY, "Infinity"],
  [1.5, "1.5"],
  [2 ** 53, `9007199254740992${ROUNDED}`],
  [-(2 ** 53), `-9007199254740992${ROUNDED}`],
  [ABOVE_INT64, `${ABOVE_INT64}`],
  [BELOW_INT64, `${BELOW_INT64}`],
  [10n ** 59n, `1${"0".repeat(39)}`],
  [Object(7), "a Number"],
  [{ valueOf: () => 7 }, "an object"],
];

const refusals: Refusal[] = [
  ["undefined", undefined, ["", `${mustBe.object} undefined`]],
  ["null", null, ["", `${mustBe.object} null`]],
  ["a number", 7, ["", `${mustBe.object} a number`]],
  ["a list", [{ id: 1, name: "Monstera" }], ["", `${mustBe.object} an array`]],
  ["a promise", Promise.resolve({ id: 1, name: "x" }), ["", `${mustBe.object} a promise: await it first`]],
  ["a Map", new Map([["id", 1]]), ["", `${mustBe.object} a Map`]],
  ["a function", () => ({ id: 1, name: "Monstera" }), ["", `${mustBe.object} a function`]],
  ["an empty object", {}, ["id", "is required"], ["name", "is required"]],
  ["a missing id", { name: "Monstera" }, ["id", "is required"]],
  ...ids.map(
    ([id, received]): Refusal => [
      `an id of ${received}`,
      { id, name: "Monstera" },
      ["id", `${mustBe.int64} ${received}`],
    ],
  ),
  ["a missing name", { id: 1 }, ["name", "is required"]],
  ["a name that is a number", { id: 1, name: 7 }, ["name", `${mustBe.string} 7`]],
  ["a name that is a boxed text", { id: 1, name: Object("Monstera") }, ["name", `${mustBe.string} a String`]],
  ["a name that has a toJSON", { id: 1, name: { toJSON: () => "x" } }, ["name", `${mustBe.string} an object`]],
  ["a tag that is a list", { id: 1, name: "Monstera", tag: ["a"] }, ["tag", `${mustBe.string} an array`]],
  [
    "three wrong fields",
    { id: true, name: 2, tag: 3 },
    ["id", `${mustBe.int64} true`],
    ["name", `${mustBe.string} 2`],
    ["tag", `${mustBe.string} 3`],
  ],
];

const textOf = (issues: Issue[]) => issues.map(([path, message]) => `${path || "it"} ${message}`).join("; ");

test.each(refusals)("%s is refused before anything is sent", async (_, plant, ...issues) => {
  let asked = 0;
  const mocked = setup([], { token: () => `t${asked++}` });
  const error = await errorOf(mocked.client.createPlant(plant as NewPlant));
  expect(error).toMatchObject({ kind: "input", outcome: "not-sent", attempts: [] });
  const expected = issues.map(([path, message]) => ({ path: path ? [path] : [], rule: expect.any(String), message }));
  expect((error as PlantStoreInputError).issues).toEqual(expected);
  expect(await newPlantSchema["~standard"].validate(plant)).toEqual({ issues: expected });
  expect(error.message).toBe(`The plant was not sent: ${textOf(issues)}`);
  expect(mocked.posts).toHaveLength(0);
  expect(asked).toBe(0);
  expect(mocked.clock.waits).toEqual([]);
});

const COMMON_NAMES = ["then", "__proto__", "constructor", "toJSON", "toString", "length"];

describe("what is accepted is sent, and nothing else", () => {
  class Row {
    id = 7;
    name = "Monstera";
    secret = "internal";
    constructor(readonly tag?: string) {}
  }
  /** An entity as ORMs make it. */
  class Entity {
    get id() {
      return 1;
    }
    get name() {
      return "M";
    }
  }
  const bare = Object.assign(Object.create(null), { id: 1, name: "M" });
  const accepted: [name: string, plant: unknown, body: string][] = [
    ["unknown fields are left out", { id: 1, name: "M", owner: "secret", "": 1 }, '{"id":1,"name":"M"}'],
    ["an instance of a class with own fields", new Row("indoor"), '{"id":7,"name":"Monstera","tag":"indoor"}'],
    ["a tag of undefined is absent", new Row(), '{"id":7,"name":"Monstera"}'],
    ["a tag of null is absent, as in a row of SQL", { id: 1, name: "M", tag: null }, '{"id":1,"name":"M"}'],
    [
      "and so it is beside a large id",
      { id: 2n ** 60n, name: "M", tag: null },
      '{"id":1152921504606846976,"name":"M"}',
    ],
    ["an object without a prototype", bare, '{"id":1,"name":"M"}'],
    ["getters of a class", new Entity(), '{"id":1,"name":"M"}'],
    ["inherited fields", Object.create({ id: 1, name: "M", tag: "t" }), '{"id":1,"name":"M","tag":"t"}'],
    [
      "fields with the names of what every object or promise has",
      JSON.parse(`{"id":1,"name":"M",${COMMON_NAMES.map((name) => `"${name}":1`)}}`),
      '{"id":1,"name":"M"}',
    ],
    ["a toJSON is not called", { id: 1, name: "M", toJSON: () => ({}) }, '{"id":1,"name":"M"}'],
    ["fields in another order", { tag: "t", name: "M", id: 1 }, '{"id":1,"name":"M","tag":"t"}'],
    ["a frozen object", Object.freeze({ id: 1, name: "M" }), '{"id":1,"name":"M"}'],
    ["empty texts", { id: 0, name: "", tag: "" }, '{"id":0,"name":"","tag":""}'],
  ];
  test("what another library adds to every object is neither checked nor sent", async () => {
    const { client, posts } = setup([created(), refused(400)]);
    Object.defineProperty(Object.prototype, "should", { value: "x", enumerable: true, configurable: true });
    const results = await Promise.all([client.tryCreatePlant(PLANT), client.tryCreatePlant(PLANT)]);
    Reflect.deleteProperty(Object.prototype, "should");
    expect(results.map((result) => result.ok || result.error.kind)).toEqual([true, "api"]);
    expect(posts.map(({ body }) => body)).toEqual(Array(2).fill(JSON.stringify(PLANT)));
  });

  test.each(accepted)("%s", async (_, plant, body) => {
    const { client, posts } = setup([created()]);
    await client.createPlant(plant as NewPlant);
    expect(posts[0]?.body).toBe(body);
  });

  test("what was checked is what is sent: each field is read once, also for a second attempt", async () => {
    let reads = 0;
    const plant = {
      id: 1,
      get name() {
        return `name ${++reads}`;
      },
    };
    const { client, posts, clock } = setup([new Response(null, { status: 429 }), created()]);
    await clock.until(client.createPlant(plant));
    expect(posts.map(({ body }) => body)).toEqual(['{"id":1,"name":"name 1"}', '{"id":1,"name":"name 1"}']);
  });

  test("a plant that is changed while the token is awaited is sent as it was", async () => {
    const plant = { id: 1, name: "before" };
    const { client, posts } = setup([created()], { token: async () => "t" });
    const promise = client.createPlant(plant);
    plant.name = "after";
    await promise;
    expect(posts[0]?.body).toBe('{"id":1,"name":"before"}');
  });
});

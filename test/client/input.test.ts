import { type NewPlant, newPlantSchema, PlantStoreInputError } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { errorOf, failure } from "./fixtures/outcome-of.ts";
import { created } from "./fixtures/replies.ts";
import { setup } from "./fixtures/setup.ts";

const INT64 = "must be an integer from -9223372036854775808 to 9223372036854775807";
const ROUNDED = "; above 2^53 a number may be rounded: pass a bigint";
const OWN = "as a property of the object itself";

const { proxy: revoked, revoke } = Proxy.revocable({}, {});
revoke();
const getter = (name: string, thrown: unknown) =>
  Object.defineProperty({ id: 1, name: "Monstera" }, name, {
    enumerable: true,
    get() {
      throw thrown;
    },
  });
class Accessors {
  get id() {
    return 1;
  }
  get name() {
    return "Monstera";
  }
}
class InheritedTag {
  id = 1;
  name = "Monstera";
  get tag() {
    return "indoor";
  }
}
type Issue = [path: string, message: string];

const refusals: [name: string, plant: unknown, ...issues: Issue[]][] = [
  ["undefined", undefined, ["", "must be an object, not undefined"]],
  ["null", null, ["", "must be an object, not null"]],
  ["a text", "Monstera", ["", 'must be an object, not "Monstera"']],
  ["a text of 40 characters", "x".repeat(40), ["", `must be an object, not "${"x".repeat(40)}"`]],
  ["a long text", "x".repeat(41), ["", `must be an object, not "${"x".repeat(40)}…"`]],
  ["a number", 7, ["", "must be an object, not 7"]],
  ["a list", [{ id: 1, name: "Monstera" }], ["", "must be an object, not an array"]],
  ["a function", () => ({ id: 1, name: "Monstera" }), ["", "must be an object, not a function"]],
  ["an empty object", {}, ["id", "is required"], ["name", "is required"]],
  ["a missing id", { name: "Monstera" }, ["id", "is required"]],
  ["an id that is undefined", { id: undefined, name: "Monstera" }, ["id", "is required"]],
  ["an id that is null", { id: null, name: "Monstera" }, ["id", `${INT64}, not null`]],
  ["an id that is a text", { id: "seven", name: "Monstera" }, ["id", `${INT64}, not "seven"`]],
  [
    "an id whose digits are a text",
    { id: "7", name: "Monstera" },
    ["id", `${INT64}, not "7": convert the text to an integer`],
  ],
  [
    "an id of several digits as a text",
    { id: "-1234567", name: "Monstera" },
    ["id", `${INT64}, not "-1234567": convert the text to an integer`],
  ],
  ["an id that only begins with digits", { id: "7th", name: "Monstera" }, ["id", `${INT64}, not "7th"`]],
  ["an id that only ends with digits", { id: "no. 7", name: "Monstera" }, ["id", `${INT64}, not "no. 7"`]],
  [
    "an id whose digits are a text, beyond int64",
    { id: "9223372036854775808", name: "Monstera" },
    ["id", `${INT64}, not "9223372036854775808"`],
  ],
  ["an id that is NaN", { id: Number.NaN, name: "Monstera" }, ["id", `${INT64}, not NaN`]],
  ["an id that is Infinity", { id: Number.POSITIVE_INFINITY, name: "Monstera" }, ["id", `${INT64}, not Infinity`]],
  ["an id with a fraction", { id: 1.5, name: "Monstera" }, ["id", `${INT64}, not 1.5`]],
  ["an id of 2^53", { id: 2 ** 53, name: "Monstera" }, ["id", `${INT64}, not 9007199254740992${ROUNDED}`]],
  ["an id of -2^53", { id: -(2 ** 53), name: "Monstera" }, ["id", `${INT64}, not -9007199254740992${ROUNDED}`]],
  ["an id of 1e300", { id: 1e300, name: "Monstera" }, ["id", `${INT64}, not 1e+300${ROUNDED}`]],
  ["an id of 2^63", { id: 2n ** 63n, name: "Monstera" }, ["id", `${INT64}, not 9223372036854775808`]],
  ["an id below -2^63", { id: -(2n ** 63n) - 1n, name: "Monstera" }, ["id", `${INT64}, not -9223372036854775809`]],
  ["an id of 60 digits", { id: 10n ** 59n, name: "Monstera" }, ["id", `${INT64}, not 1${"0".repeat(39)}`]],
  ["an id that is a boxed number", { id: Object(7), name: "Monstera" }, ["id", `${INT64}, not an object`]],
  ["an id that is a boxed bigint", { id: Object(7n), name: "Monstera" }, ["id", `${INT64}, not an object`]],
  ["an id that has a valueOf", { id: { valueOf: () => 7 }, name: "Monstera" }, ["id", `${INT64}, not an object`]],
  ["a missing name", { id: 1 }, ["name", "is required"]],
  ["a name that is null", { id: 1, name: null }, ["name", "must be a string, not null"]],
  ["a name that is a number", { id: 1, name: 7 }, ["name", "must be a string, not 7"]],
  ["a name that is a boxed text", { id: 1, name: Object("Monstera") }, ["name", "must be a string, not an object"]],
  ["a name that has a toJSON", { id: 1, name: { toJSON: () => "x" } }, ["name", "must be a string, not an object"]],
  ["a tag that is null", { id: 1, name: "Monstera", tag: null }, ["tag", "must be a string, not null"]],
  ["a tag that is a list", { id: 1, name: "Monstera", tag: ["a"] }, ["tag", "must be a string, not an array"]],
  [
    "three wrong fields",
    { id: true, name: 2, tag: 3 },
    ["id", `${INT64}, not true`],
    ["name", "must be a string, not 2"],
    ["tag", "must be a string, not 3"],
  ],
  [
    "fields of a prototype",
    Object.create({ id: 1, name: "Monstera" }),
    ["id", `is required ${OWN}`],
    ["name", `is required ${OWN}`],
  ],
  ["accessors of a class", new Accessors(), ["id", `is required ${OWN}`], ["name", `is required ${OWN}`]],
  ["a tag of a class, which would be lost", new InheritedTag(), ["tag", `must be given ${OWN}`]],
  ["a getter that throws an error", getter("name", new Error("lazy")), ["name", "cannot be read: lazy"]],
  ["a getter that throws a text", getter("tag", "lazy"), ["tag", "cannot be read: lazy"]],
  ["a getter that throws what has no text", getter("id", Object.create(null)), ["id", "cannot be read"]],
  ["a revoked proxy", revoked, ["", "must be an object, not a revoked proxy"]],
  [
    "a proxy that throws",
    new Proxy(
      {},
      {
        getOwnPropertyDescriptor() {
          throw new Error("trap");
        },
      },
    ),
    ["id", "cannot be read: trap"],
    ["name", "cannot be read: trap"],
    ["tag", "cannot be read: trap"],
  ],
];

const textOf = (issues: Issue[]) => issues.map(([path, message]) => `${path || "it"} ${message}`).join("; ");

test.each(refusals)("%s is refused before anything is sent", async (_, plant, ...issues) => {
  let asked = 0;
  const mocked = setup([], { token: () => `t${asked++}` });
  const error = await errorOf(mocked.client.createPlant(plant as NewPlant));
  expect(error).toBeInstanceOf(PlantStoreInputError);
  expect(error).toMatchObject({ kind: "input", name: "PlantStoreInputError", outcome: "not-sent", attempts: [] });
  expect((error as PlantStoreInputError).issues).toEqual(
    issues.map(([path, message]) => ({ path: path ? [path] : [], message })),
  );
  expect(error.message).toBe(`The plant was not sent: ${textOf(issues)}`);
  expect(mocked.posts).toHaveLength(0);
  expect(asked).toBe(0);
  expect(mocked.clock.waits).toEqual([]);
});

test.each(refusals)("newPlantSchema reports the same of %s", async (_, plant, ...issues) => {
  const result = await newPlantSchema["~standard"].validate(plant);
  expect(result.issues?.map(({ path, message }) => [path.join(), message])).toEqual(issues);
});

test("tryCreatePlant resolves with the same error", async () => {
  const { client } = setup([]);
  const result = await client.tryCreatePlant({ id: 1 } as never);
  expect(result).toMatchObject({ ok: false, attempts: [], error: { kind: "input" } });
});

test("the message names every problem in one line", async () => {
  const error = await failure(setup([]), undefined, { id: "7", tag: null } as never);
  expect(error.message).toBe(
    `The plant was not sent: id ${INT64}, not "7": convert the text to an integer; name is required; ` +
      "tag must be a string, not null",
  );
});

describe("what is accepted is sent, and nothing else", () => {
  class Row {
    id = 7;
    name = "Monstera";
    secret = "internal";
    constructor(readonly tag?: string) {}
  }
  const bare = Object.assign(Object.create(null), { id: 1, name: "M" });
  const accepted: [name: string, plant: unknown, body: string][] = [
    ["unknown fields are left out", { id: 1, name: "M", owner: "secret", "": 1 }, '{"id":1,"name":"M"}'],
    ["an instance of a class with own fields", new Row("indoor"), '{"id":7,"name":"Monstera","tag":"indoor"}'],
    ["a tag of undefined is absent", new Row(), '{"id":7,"name":"Monstera"}'],
    ["an object without a prototype", bare, '{"id":1,"name":"M"}'],
    [
      "a getter of its own",
      {
        id: 1,
        get name() {
          return "M";
        },
      },
      '{"id":1,"name":"M"}',
    ],
    ["a toJSON is not called", { id: 1, name: "M", toJSON: () => ({}) }, '{"id":1,"name":"M"}'],
    ["fields in another order", { tag: "t", name: "M", id: 1 }, '{"id":1,"name":"M","tag":"t"}'],
    ["a frozen object", Object.freeze({ id: 1, name: "M" }), '{"id":1,"name":"M"}'],
    ["a proxy", new Proxy({ id: 1, name: "M" }, {}), '{"id":1,"name":"M"}'],
    ["empty texts", { id: 0, name: "", tag: "" }, '{"id":0,"name":"","tag":""}'],
  ];
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

  test("a polluted prototype adds no field", async () => {
    const pollution = Object.prototype as { tag?: unknown; name?: unknown };
    pollution.tag = "evil";
    pollution.name = "evil";
    try {
      const { client, posts } = setup([created(), created()]);
      await client.createPlant({ id: 1, name: "M" });
      await client.createPlant({ id: 1, name: "M", tag: "own" });
      expect(posts.map(({ body }) => body)).toEqual(['{"id":1,"name":"M"}', '{"id":1,"name":"M","tag":"own"}']);
      const result = await client.tryCreatePlant({ id: 1 } as never);
      expect(result).toMatchObject({ ok: false, error: { kind: "input" } });
    } finally {
      delete pollution.tag;
      delete pollution.name;
    }
  });
});

import { PlantStoreClient } from "plant-store-client";
import { createMockPlantStore, type MockPlantStoreOptions } from "plant-store-client/mock";
import { describe, expect, it } from "vitest";
import { mustBe } from "../rules-in-words.ts";

describe("the options of a client", () => {
  it.each<[baseUrl: string | undefined, allowInsecure: true | undefined]>([
    [undefined, undefined],
    ["https://plants.test/v1", undefined],
    ["http://127.0.0.1:4010", undefined],
    ["http://plants.test/v1", true],
    ["http://10.0.0.7:4010", true],
  ])("of a mock at %s allow plain http only if they must: %s", (baseUrl, allowInsecure) => {
    const mock = createMockPlantStore({ baseUrl });
    for (const session of [mock, mock.session()]) {
      expect(session.clientOptions.allowInsecure).toBe(allowInsecure);
      expect("allowInsecure" in session.clientOptions).toBe(allowInsecure === true);
      expect(() => new PlantStoreClient(session.clientOptions)).not.toThrow();
    }
  });
});

describe("the base URL", () => {
  it.each([
    [undefined, "https://plant-store.test"],
    ["http://plant-store.test/", "http://plant-store.test"],
    ["HTTPS://Plants.Test:443/v1//", "https://plants.test/v1"],
    ["http://127.0.0.1:4010/api", "http://127.0.0.1:4010/api"],
  ])("%s is read as %s", (baseUrl, read) => {
    const mock = createMockPlantStore({ baseUrl });
    expect(mock.baseUrl).toBe(read);
    expect(mock.session().baseUrl).toBe(read);
  });

  it.each(["", "/v1", "plants.test", "ftp://x", "xhttp://x", "http://u:p@x", "http://x?a", "http://x#a", 7 as never])(
    "%s is refused",
    (baseUrl) => {
      expect(() => createMockPlantStore({ baseUrl })).toThrow(/^baseUrl: must (be|begin|not contain) /);
    },
  );
});

it.each<[MockPlantStoreOptions, string]>([
  [{ auth: "no" as never }, "auth: must be true, false, or { tokens }, not a string"],
  [
    { auth: { tokens: ["a b"] } },
    'auth.tokens[0]: must be visible ASCII characters without spaces; character 2 is " "',
  ],
  [{ auth: { tokens: "token" as never } }, "auth.tokens: must be an array of tokens, or a function, not a string"],
  [{ duplicateIds: "maybe" as never }, `duplicateIds: ${mustBe.acceptOrReject} "maybe"`],
  [{ unknownFields: "maybe" as never }, 'unknownFields: must be "accept" or "reject"'],
  [{ mediaType: "xml" as never }, 'mediaType: must be "json" or "any"'],
  [
    { replies: { nothing: { status: 200 } } as never },
    'unknown cause "replies.nothing"; known causes: notFound, methodNotAllowed, severalTokens, missingToken, invalidToken, rateLimited, mediaType, tooLarge, encoding, json, newPlant, unknownFields, duplicateId',
  ],
  [
    { replies: { json: { stauts: 200 } as never } },
    'unknown field "replies.json.stauts"; known fields: status, headers, body',
  ],
  [
    { replies: { json: { status: 204, body: "" } } },
    "replies.json: a response with status 204 has no body; leave it out",
  ],
  [{ replies: { json: { error: 1.5 } } }, "replies.json.error: must be an integer from -2147483648 to 2147483647"],
  [{ replies: { json: { error: undefined as never } } }, "replies.json.error: is required"],
  [{ replies: { json: { error: 1, status: 400 } } }, 'unknown field "replies.json.status"; known fields: error'],
  [{ duplicateId: "reject" } as never, 'unknown option "duplicateId"; known options: initialPlants, duplicateIds, '],
  [{ auth: { token: ["a"] } } as never, 'unknown option "auth.token"; known options: tokens'],
  [7 as never, `options ${mustBe.object} a number`],
  [{ strict: "yes" as never }, `strict: ${mustBe.boolean} "yes"`],
  [{ replies: 7 as never }, `replies ${mustBe.object} a number`],
  [{ initialPlants: {} as never }, "initialPlants: must be an iterable of plants, not an object"],
  [{ maxRecordedRequests: -1 }, "maxRecordedRequests: must be an integer from 0"],
  [{ maxBodyBytes: 0 }, "maxBodyBytes: must be an integer from 1"],
  [
    {
      initialPlants: [
        { id: 1, name: "a" },
        { id: 1.5, name: "b" },
      ],
    },
    "initialPlants[1].id: must be an integer from",
  ],
  [{ initialPlants: [7 as never] }, `initialPlants[0]: ${mustBe.object} a number`],
])("options %# are refused with a message that names the rule", (options, message) => {
  expect(() => createMockPlantStore(options)).toThrow(message);
});

it("treats undefined as absent", () => {
  const absent = { baseUrl: undefined, auth: undefined, duplicateIds: undefined, replies: { json: undefined } };
  createMockPlantStore({ ...absent, initialPlants: undefined, auth: { tokens: undefined } });
});

it("stores no null: for an optional field it means absent", () => {
  const plant = { id: 1, name: "Fern", tag: null };
  const mock = createMockPlantStore({ initialPlants: [plant] });
  mock.plants.add(plant);
  expect([...mock.plants]).toEqual([
    { id: 1, name: "Fern" },
    { id: 1, name: "Fern" },
  ]);
  expect(plant).toEqual({ id: 1, name: "Fern", tag: null });
});

it("has the first of its tokens as its own", () => {
  expect(createMockPlantStore({ auth: { tokens: ["a", "b"] } }).token).toBe("a");
  expect(createMockPlantStore({ auth: false }).token).toMatch(/^root-/);
  expect(createMockPlantStore({ auth: { tokens: () => true } }).token).toMatch(/^root-/);
});

it("reads options that are inherited, as a configuration service has them", () => {
  class Configuration {
    get duplicateIds() {
      return "reject" as const;
    }
  }
  const mock = createMockPlantStore(new Configuration());
  mock.plants.add({ id: 1, name: "Fern" });
  expect(mock.plants.size).toBe(1);
  expect(() => createMockPlantStore(Object.create({ strict: "yes" }))).toThrow("strict: must be true or false");
});

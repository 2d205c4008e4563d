import { PlantStoreApiError, type PlantStoreResponseError } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { mustBe } from "../rules-in-words.ts";
import { eventOf, failure } from "./fixtures/outcome-of.ts";
import { json, reply } from "./fixtures/replies.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

const plant = '{"name":"Monstera"}';
const bytes = (text: string) => new TextEncoder().encode(text);
const common = '{"name":"M","then":1,"toJSON":2,"constructor":3,"length":4}';
const html = { "content-type": "text/html; charset=utf-8" };
const DEEP = `${"[".repeat(99)}${"]".repeat(99)}`;
const PAGE = "<!doctype html><title>Hello</title>";

describe("a 2xx whose body is a plant", () => {
  const accepted: [name: string, response: Response, plant: object][] = [
    ["200 with JSON", json(plant), { name: "Monstera" }],
    ["a tag", json('{"name":"Monstera","tag":"indoor"}'), { name: "Monstera", tag: "indoor" }],
    ["a tag of null, which is absent", json('{"name":"M","tag":null}'), { name: "M" }],
    ["a null in a field that the contract does not name", json('{"name":"M","x":null}'), { name: "M", x: null }],
    ["100 levels", json(`{"name":"M","x":${DEEP}}`), { name: "M", x: JSON.parse(DEEP) }],
    ["fields that the contract does not name", json('{"name":"M","id":7,"x":[1]}'), { name: "M", id: 7, x: [1] }],
    ["a name that is empty", json('{"name":""}'), { name: "" }],
    ["no media type", reply(200, bytes(plant)), { name: "Monstera" }],
    ["a charset that is UTF-8", json(plant, "application/json; charset=UTF-8"), { name: "Monstera" }],
    ["a media type in capitals", json(plant, "APPLICATION/JSON"), { name: "Monstera" }],
    ["a parameter with a comma", json(plant, 'application/json; profile="a, b"'), { name: "Monstera" }],
    ["a blank before the parameters", json(plant, "application/json ;charset=utf-8"), { name: "Monstera" }],
    ["a structured suffix", json(plant, "application/vnd.plants+json"), { name: "Monstera" }],
    ["two structured suffixes", json(plant, "application/vnd.plants+v1+json"), { name: "Monstera" }],
    ["a media type twice", json(plant, "application/json;charset=utf-8, application/json"), { name: "Monstera" }],
    ["the older name of the media type", json(plant, "text/json"), { name: "Monstera" }],
    [
      "another charset declared, and ASCII sent",
      json(plant, "application/json; charset=iso-8859-1"),
      { name: "Monstera" },
    ],
    ["a byte order mark", json(bytes(`\ufeff${plant}`)), { name: "Monstera" }],
    ["blanks around", json(` \r\n\t${plant} `), { name: "Monstera" }],
    ["a name beyond ASCII", json(bytes('{"name":"Größe 🌱"}')), { name: "Größe 🌱" }],
    ["a lone surrogate as an escape", json('{"name":"\\ud83c"}'), { name: "\ud83c" }],
    ["a prototype as data", json('{"name":"M","__proto__":{"a":1}}'), JSON.parse('{"name":"M","__proto__":{"a":1}}')],
    ["names of what every object or promise has", json(common), JSON.parse(common)],
    ["201", reply(201, { name: "Monstera" }), { name: "Monstera" }],
    ["202", reply(202, { name: "Monstera" }), { name: "Monstera" }],
    ["299", reply(299, { name: "Monstera" }), { name: "Monstera" }],
  ];
  test.each(accepted)("%s resolves to it", async (_, response, expected) => {
    const { client } = setup([response]);
    const result = await client.tryCreatePlant(PLANT);
    expect(result).toMatchObject({ ok: true, status: response.status });
    expect(result.ok && result.plant).toEqual(expected);
    expect(result.ok && result.headers.get("content-type")).toBe(response.headers.get("content-type"));
  });
});

const latin1 = Uint8Array.from('{"name":"Gr\u00f6\u00dfe"}', (character) => character.charCodeAt(0));
const utf16 = new Uint8Array(Buffer.from(plant, "utf16le"));
const utf16WithMark = new Uint8Array(Buffer.from(`\ufeff${plant}`, "utf16le"));
const surrogate = new Uint8Array([...bytes('{"name":"'), 0xed, 0xa0, 0x80, ...bytes('"}')]);

describe("a 2xx without a valid plant may have created one", () => {
  const type = (received: string) => `${received} instead of application/json`;
  const shape = (problem: string) => `an invalid body: ${problem}`;
  const [NOT_JSON, NOT_UTF8, EMPTY] = [
    "a body that is not JSON, or was cut off",
    "a body that is not UTF-8",
    "an empty body instead of JSON",
  ];
  /** A response with this text, as JSON unless it says otherwise. */
  type Row = [response: Response | string, detail: string, bodyText?: string];
  const replaced = '{"name":"Gr\ufffd\ufffde"}';
  const cases: Record<string, Row[]> = {
    "media-type": [
      [reply(200, PAGE, html), type("text/html; charset=utf-8"), PAGE],
      ...[
        ...["text/plain", "application/jsonp", "application/x-ndjson", "x-application/json"],
        ...["text/html; of=application/json", "application/json, text/html"],
      ].map((received): Row => [json(plant, received), type(received), plant]),
      [json(plant, ""), type("no media type"), plant],
      [reply(204), type("no content"), ""],
      [reply(205), type("no content"), ""],
      [new Response(null, { status: 204, headers: { "content-type": "application/json" } }), type("no content"), ""],
    ],
    json: [
      ["", EMPTY],
      [reply(200), EMPTY, ""],
      [json(bytes("\ufeff")), EMPTY, ""],
      ['{"name":"Mon', NOT_JSON],
      [`${plant}${plant}`, NOT_JSON],
      ["NaN", NOT_JSON],
      [json(latin1), NOT_UTF8, replaced],
      [json(latin1, "application/json; charset=iso-8859-1"), NOT_UTF8, replaced],
      [json(utf16, "application/json; charset=utf-16le"), NOT_JSON, [...plant].join("\0").concat("\0")],
      [json(utf16WithMark), NOT_UTF8, `\ufffd\ufffd${[...plant].join("\0")}\0`],
      [json(surrogate), NOT_UTF8, '{"name":"\ufffd\ufffd\ufffd"}'],
    ],
    shape: [
      ["null", shape(`it ${mustBe.object} null`)],
      [`[${plant}]`, shape(`it ${mustBe.object} an array`)],
      ['"Monstera"', shape(`it ${mustBe.object} a string`)],
      ["{}", shape("name is required")],
      ['{"name":null}', shape(`name ${mustBe.string} null`)],
      ['{"name":1,"tag":2}', shape(`name ${mustBe.string} 1; tag ${mustBe.string} 2`)],
      ['{"error":1,"message":"no"}', shape("name is required")],
      ['{"__proto__":{"name":"M"}}', shape("name is required")],
      [`{"name":"M","x":${"[".repeat(100)}${"]".repeat(100)}}`, "a body of more than 100 levels"],
    ],
  };
  const rows = Object.entries(cases).flatMap(([reason, all]) => all.map((row) => [reason, row] as const));
  test.each(rows)("%s: %j", async (reason, [given, detail, bodyText = given]) => {
    const response = typeof given === "string" ? json(given) : given;
    const { status } = response;
    const error = (await failure(setup([response], { retry: "idempotent" }))) as PlantStoreResponseError;
    expect(error).toMatchObject({ kind: "response", reason, outcome: "unknown", status, bodyText });
    expect(eventOf(error)).toBe(`returned ${status} with ${detail}`);
    expect(error.attempts).toMatchObject([{ status, reason: "body" }]);
    expect(error.headers.get("content-type")).toBe(response.headers.get("content-type"));
    expect(error).not.toHaveProperty("retryAfterMs");
  });
});

describe("a redirect is never followed", () => {
  test.each([301, 302, 303, 307, 308])("%i", async (status) => {
    const body = '{"error":1,"message":"moved"}';
    const response = new Response(body, { status, headers: { location: "https://elsewhere.test/plants" } });
    const mocked = setup([response], { retry: "idempotent" });
    const error = await failure(mocked);
    expect(error).toMatchObject({ kind: "response", reason: "redirect", status, outcome: "unknown" });
    const address = "https://elsewhere.test/plants, which is not followed: correct baseUrl";
    expect(eventOf(error)).toBe(`returned ${status}, a redirect to ${address}`);
    expect(mocked.posts).toHaveLength(1);
    expect(mocked.posts[0]?.init.redirect).toBe("manual");
    expect(error.attempts).toMatchObject([{ status, reason: "status" }]);
  });
  test.each([
    [307, {}],
    [300, { location: "https://elsewhere.test/plants" }],
    [304, { location: "https://elsewhere.test/plants" }],
    [399, { location: "https://elsewhere.test/plants" }],
  ])("%i with the headers %j is none, and no reason to correct baseUrl", async (status, headers) => {
    const error = await failure(setup([new Response(null, { status, headers })]));
    expect(error).toMatchObject({ kind: "response", reason: "status", status, outcome: "unknown" });
    expect(eventOf(error)).toBe(`returned ${status} with an empty body`);
  });
  test("the opaque one of a browser has status 0", async () => {
    const opaque = { status: 0, type: "opaqueredirect", headers: new Headers(), body: null } as Response;
    const error = await failure(setup([() => opaque]));
    expect(error).toMatchObject({ kind: "response", reason: "redirect", status: 0, outcome: "unknown", bodyText: "" });
    expect(eventOf(error)).toBe("returned a redirect, which is not followed");
  });
});

describe("a status that is no 2xx, with the contract's Error body", () => {
  test.each([400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504])("%i is an api error", async (status) => {
    const body = { error: -2147483648, message: "The bed is full", extra: [1] };
    const error = await failure(setup([reply(status, body, { "x-request-id": "r1" })], { maxRetries: 0 }));
    expect(error).toBeInstanceOf(PlantStoreApiError);
    expect(error).toMatchObject({ kind: "api", status, code: -2147483648, body });
    expect(eventOf(error)).toBe(`returned ${status}: The bed is full`);
    expect((error as PlantStoreApiError).headers.get("x-request-id")).toBe("r1");
  });
  test.each([
    ["HTML", html],
    ["no media type", {}],
  ])("the media type does not matter: %s", async (_, headers) => {
    const error = await failure(setup([reply(400, bytes('{"error":1,"message":""}'), headers)]));
    expect(error).toMatchObject({ kind: "api", code: 1, body: { message: "" }, outcome: "rejected" });
    expect(eventOf(error)).toBe("returned 400: (no message)");
  });
});

describe("a status that is no 2xx, with anything else", () => {
  /** Each body with the text that the error has, and with its words, which the message shows. */
  const bodies: [body: string | Uint8Array | null, bodyText?: string | null, words?: string][] = [
    [null, ""],
    [""],
    [PAGE],
    ['{"error":1,'],
    ...['{"error":"1","message":"x"}', '{"error":1.5,"message":"x"}', '{"error":2147483648,"message":"x"}'].map(
      (body) => [body, body, "x"] as [string, string, string],
    ),
    ['{"detail":"y","message":"x"}', '{"detail":"y","message":"x"}', "y"],
    ['{"error":null,"message":"x"}', '{"error":null,"message":"x"}', "x"],
    ['{"error":1}'],
    ['{"error":1,"message":{}}'],
    ['[{"error":1,"message":"x"}]'],
    ["null"],
    [plant],
    [new Uint8Array([0xff, 0x41]), "\ufffdA"],
  ];
  const statuses = [
    ...[400, 401, 429].map((status) => [status, "rejected"] as const),
    ...[408, 500, 502, 503].map((status) => [status, "unknown"] as const),
  ];
  test.each(statuses)("%i is %s", async (status, outcome) => {
    for (const [body, bodyText = body, words] of bodies) {
      const error = await failure(setup([reply(status, body)], { maxRetries: 0 }));
      expect(error).toMatchObject({ kind: "response", reason: "status", status, outcome, bodyText });
      const detail = (body ?? "") === "" ? " with an empty body" : " with an unexpected body (";
      expect(eventOf(error)).toContain(`returned ${status}${words ? `: ${words}` : detail}`);
      expect(error.attempts).toMatchObject([{ status, reason: "status" }]);
    }
  });
  test.each([100, 101, 103, 199, 600, 999, Number.NaN])(
    "a status of %s, which no Response can have",
    async (status) => {
      const odd = { status, headers: new Headers(), text: async () => plant } as Response;
      const error = await failure(setup([() => odd]));
      expect(error).toMatchObject({ kind: "response", reason: "status", status, outcome: "unknown" });
    },
  );
});

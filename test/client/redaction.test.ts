import { inspect } from "node:util";
import {
  type PlantStoreApiError,
  PlantStoreClient,
  type PlantStoreResponseError,
  type TokenProvider,
} from "plant-store-client";
import { describe, expect, test, vi } from "vitest";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { fetchFailed, systemError } from "./fixtures/network-errors.ts";
import { errorOf, failure } from "./fixtures/outcome-of.ts";
import { brokenOff, json, refused, reply } from "./fixtures/replies.ts";
import { PLANT, type Step, setup, TOKEN } from "./fixtures/setup.ts";

/** Everything that a log, a debugger or another thread could show of a value. */
function everythingOf(value: unknown): string {
  const texts = [
    inspect(value, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true, maxStringLength: null }),
    String(value),
    JSON.stringify(value) ?? "",
  ];
  for (let link: unknown = value; link instanceof Error; link = link.cause) texts.push(`${link.stack}${link.message}`);
  return texts.join("\n");
}

/** A token that has every character that a writer of JSON or of URLs may escape. */
const SECRET = "Secret/0123456789+abc=";
const escaped = (...pairs: [string, string][]) =>
  pairs.reduce((text, [character, code]) => text.replaceAll(character, code), SECRET);

const FORMS: Record<string, string> = {
  raw: SECRET,
  "in lower case": SECRET.toLowerCase(),
  "with escaped slashes": escaped(["/", "\\/"]),
  "escaped by code": escaped(["/", "\\u002f"], ["+", "\\u002b"], ["=", "\\u003d"]),
  "escaped by code in capitals": escaped(["/", "\\u002F"], ["+", "\\u002B"], ["=", "\\u003D"]),
  "escaped in part": escaped(["/", "\\/"], ["=", "\\u003d"]),
  "in lower case and escaped": escaped(["/", "\\/"], ["+", "\\u002b"]).toLowerCase(),
  "percent-encoded": encodeURIComponent(SECRET),
  "percent-encoded in small letters": encodeURIComponent(SECRET).replace(/%../g, (octet) => octet.toLowerCase()),
};

/** An error whose cause is its own cause, with the text wherever an error may have one. */
function ringOf(text: string): Error {
  const root = Object.assign(new Error(`connect failed for ${text}`), {
    ...{ code: `E_${text}`, syscall: text, name: `Odd${text}`, request: { headers: { authorization: text } } },
    ...{ [text]: 1, [Symbol("request")]: [text] },
  });
  Object.defineProperty(root, "options", { value: { authorization: text }, enumerable: false });
  const middle = Object.assign(new AggregateError([new Error(text), text, { message: text }], text), { cause: root });
  root.cause = middle;
  return fetchFailed(middle);
}

const rejects = (thrown: unknown) => () => Promise.reject(thrown);

/** Everywhere a service or a runtime may put what it was sent. */
const SINKS: Record<string, (text: string) => Step> = {
  "an Error body": (text) => reply(400, `{"error":1,"message":"no: ${text}","seen":{"${text}":["${text}"]},"n":null}`),
  "an Error body, decoded": (text) => reply(400, { error: 1, message: `\\${text} "${text}"`, at: [[text]] }),
  "a text body": (text) => reply(500, `<p>Bearer ${text}</p>`),
  headers: (text) => reply(400, { error: 1, message: "x" }, { "x-echo": text, "www-authenticate": `realm="${text}"` }),
  "the address of a redirect": (text) => reply(302, null, { location: `https://x.test/?t=${text}` }),
  "the media type of a 2xx": (text) => json("{}", `text/html; t="${text}"`),
  "a 2xx without a valid plant": (text) => json(`{"token":"${text}"}`),
  "a title of problem details": (text) => reply(403, { title: text }, { "content-type": "application/problem+json" }),
  "a network error with causes in a ring": (text) => ringOf(text),
  "an error that is a text": rejects,
  "an error that is a symbol": (text) => rejects(Symbol(text)),
  "an error that is a function": (text) => rejects(Object.assign(() => "x", { toString: () => text })),
  "an error that is a plain object": (text) => rejects({ message: text, stack: text, token: [text] }),
  "a body that breaks off": (text) => brokenOff(200, systemError(`E_${text}`)),
};

/** What may stand for one character. */
const ESCAPES: ((character: string) => string)[] = [
  (character) => character,
  (character) => character.toLowerCase(),
  (character) => character.toUpperCase(),
  (character) => `%${hexOf(character)}`,
  (character) => `%${hexOf(character).toLowerCase()}`,
  (character) => `%25${hexOf(character)}`,
  (character) => `&#x${hexOf(character)};`,
  (character) => `&#X0${hexOf(character).toLowerCase()};`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#0${character.charCodeAt(0)};`,
  (character) => `&amp;#${character.charCodeAt(0)};`,
  (character) => NAMES[character] ?? character,
  (character) => `\\u00${hexOf(character)}`,
  (character) => `\\\\u00${hexOf(character).toLowerCase()}`,
  (character) => `\\x${hexOf(character)}`,
  (character) => `%5Cx${hexOf(character)}`,
  (character) => character.replace(/\W/, "\\$&"),
  (character) => character.replace(/\W/, "\\\\\\$&"),
];
const NAMES: Record<string, string> = { "+": "&plus;", "/": "&sol;", "=": "&equals;", ".": "&period;", _: "&lowbar;" };
const hexOf = (character: string) => character.charCodeAt(0).toString(16).toUpperCase();

const TOKENS: [name: string, token: string][] = [
  ["Base64", "Zm9v/YmFy+cXV4L2Jhei9xdXV4+Zm8/YQ=="],
  ["JWT", "eyJhbGciOiJub25lIn0.eyJzdWIiOiI3Iiwi_XUwMDJiIn0.dBjft-mB"],
  ["hex", "0123456789abcdef0123456789abcdef"],
];

/** 100 forms of a token: each escape of all characters, or of those that writers usually escape; and mixtures. */
function formsOf(token: string): string[] {
  const characters = [...token];
  const mixed = Array.from({ length: 64 }, (_, step) =>
    characters.map((character, at) => ESCAPES[(at * (step + 1) + (step % 7)) % ESCAPES.length]?.(character)).join(""),
  );
  const usual = ESCAPES.map((escaped) => token.replace(/\W/g, escaped));
  return [...mixed, ...usual, ...ESCAPES.map((escaped) => characters.map(escaped).join(""))];
}

describe.each(TOKENS)("each of 100 forms of a token in %s", (_, token) => {
  test("is removed from a body, a header and an error", async () => {
    const kept = new Set<unknown>();
    for (const form of formsOf(token)) {
      const replied = reply(500, `<td>"${form}"\\n</td>`, { "x-echo": `a ${form}, b` });
      const { client } = setup([replied, new Error(`<${form}>`)], { token, maxRetries: 0 });
      const { bodyText, headers } = (await errorOf(client.createPlant(PLANT))) as PlantStoreResponseError;
      const { cause } = await errorOf(client.createPlant(PLANT));
      kept.add(`${bodyText} ${headers.get("x-echo")} ${cause}`);
    }
    expect([...kept]).toEqual(['<td>"[redacted]"\\n</td> a [redacted], b Error: <[redacted]>']);
  });

  test("is removed as far as it was read, if the text was cut within it", () => {
    const redact = createRedact([token]);
    const kept = new Set<string>();
    for (const form of formsOf(token)) {
      for (let length = 1; length < form.length; length += 3) {
        // Its last character may be complete before the end of its escape.
        kept.add(redact(`m: 1, ${form.slice(0, length)}`, 999, true).replace("[redacted]", ""));
      }
    }
    expect([...kept]).toEqual(["m: 1, "]);
  });
});

test("what stands next to a token is no part of its escapes", () => {
  const redact = createRedact(["b7de3e582b5accb3e3338e94", "a;bcdefghijklmnop"]);
  expect(redact("100%b7de3e582b5accb3e3338e94 %61;bcdefghijklmnop;")).toBe("100%[redacted] [redacted];");
  expect(redact("100%b7de3e582b5acc", 999, true)).toBe("100%");
  expect(redact("a&nbsp;b%2Bc")).toBe("a&nbsp;b%2Bc");
});

describe("after Bearer, another token than that of the call", () => {
  const shown = async (text: string) => {
    const error = await failure(setup([reply(500, text, { "www-authenticate": text })]));
    const { bodyText, headers } = error as PlantStoreResponseError;
    expect(headers.get("www-authenticate")).toBe(bodyText);
    return bodyText;
  };

  test.each([
    ["Bearer 0123456789abcdef", "Bearer [redacted]"],
    ["<b>bearer  Zm9vYmFyYmF6cXV4L2Jh==</b>", "<b>bearer  [redacted]</b>"],
    ['{"sent":"Bearer Zm9vYmFyYmF6cXV4LzJ="}', '{"sent":"Bearer [redacted]"}'],
    ["Bearer%20Zm9vYmFyYmF6&#x2F;cXV4LzJ%3d&x=1", "Bearer%20[redacted]&x=1"],
    ["a=Bearer+0123456789abcdef&b=Bearer+0123456789abcdef", "a=Bearer+[redacted]&b=Bearer+[redacted]"],
  ])("of 16 characters or more is removed: %s", async (text, expected) => {
    expect(await shown(text)).toBe(expected);
  });

  test.each([
    'Bearer realm="plants", error="invalid_token", error_description="it has expired, ask for another"',
    "Bearer error_description=expired-at-the-end-of-the-year",
    'Bearer error_description=\\"expired\\"',
    'Bearer resource_metadata="https://plants.example/.well-known/oauth-protected-resource"',
    "Bearer error_description = &quot;expired&quot;",
    "the bearer token is not valid",
    "Bearer 0123456789abcde",
  ])("is not found in the parameters of a challenge, nor in ordinary words: %s", async (text) => {
    expect(await shown(text)).toBe(text);
  });
});

describe.each(Object.entries(FORMS))("a token %s", (_, form) => {
  test.each(Object.entries(SINKS))("is not kept of %s", async (_, step) => {
    const seen: unknown[] = [];
    const mocked = setup([step(form)], { token: SECRET, maxRetries: 0, onAttempt: (attempt) => seen.push(attempt) });
    const result = await mocked.client.tryCreatePlant(PLANT);
    if (result.ok) throw new Error("It succeeded");
    const { error } = result;
    const headers = "headers" in error ? [...error.headers].flat().join() : "";
    const shown = `${everythingOf(error)}${everythingOf(seen)}${inspect(result, { depth: null })}${headers}`;
    const decoded = [form, SECRET, SECRET.toLowerCase()].filter((text) => shown.includes(text));
    expect(decoded).toEqual([]);
    expect(shown).toContain("[redacted]");
  });
});

test("what surrounds a token is kept as it was, and so is everything else in the same body", async () => {
  const body = { message: `no, Bearer ${TOKEN}!`, error: 1, at: [TOKEN], none: null, zero: 0, no: false, empty: "" };
  const error = await failure(setup([reply(400, body, { "x-echo": `<${TOKEN}>` })]));
  expect(error).toMatchObject({
    message: expect.stringContaining("returned 400: no, Bearer [redacted]!; "),
    body: { ...body, message: "no, Bearer [redacted]!", at: ["[redacted]"] },
  });
  expect("headers" in error && error.headers.get("x-echo")).toBe("<[redacted]>");
});

test.each([
  ["a text", (text: string) => reply(500, text), "bodyText"],
  ["a header", (text: string) => reply(500, TOKEN, { "x-hint": text }), "headers"],
  ["an Error body", (text: string) => reply(400, { error: 1, message: text, [text]: 1 }), "body"],
  ["an error", (text: string) => new Error(text), "cause"],
])(
  "%s that was not cut keeps what is only the beginning of a token, also after a whole one",
  async (_, step, field) => {
    const part = `not ${TOKEN.slice(0, 12)}`;
    const shown = async (text: string) => {
      const error = (await failure(setup([step(text)]))) as unknown as Record<string, unknown>;
      return inspect(error[field]);
    };
    expect(await shown(part)).toContain(part);
    expect(await shown(`${TOKEN}, ${part}`)).toContain(`[redacted], ${part}`);
  },
);

test("a token in the name of a header is not kept", async () => {
  const token = "Secret-0123456789-abc";
  const error = await failure(setup([reply(500, "no", { [`x-${token}`]: "1" })], { token }));
  expect(JSON.stringify(error).toLowerCase()).not.toContain(token.toLowerCase());
  expect([...(error as PlantStoreApiError).headers.keys()]).toContain("redacted");
});

describe("a text that is cut loses its end, as far as a part of a token may reach", () => {
  const kept = (error: unknown) => (error as { bodyText: string }).bodyText;

  test.each(Object.values(FORMS))("after maxResponseBytes: %s", async (form) => {
    for (let length = 1; length <= form.length; length++) {
      const cut = { token: SECRET, maxResponseBytes: 100 + length };
      const bodyText = kept(await failure(setup([reply(500, `${"x".repeat(100)}${form}`)], cut)));
      expect(bodyText).toMatch(/^x+(\[redacted\])?$/);
    }
  });

  test.each(Object.values(FORMS))("after 4096 characters: %s", async (form) => {
    for (const start of [4_050, 4_075, 4_085, 4_095, 4_096, 4_097]) {
      const long = `${"x".repeat(start)}${form}${"y".repeat(9_000)}`;
      const text = kept(await failure(setup([reply(500, long)], { token: SECRET })));
      const { body } = (await failure(
        setup([reply(400, { error: 1, message: long, [`${long}!`]: { detail: [long] } })], { token: SECRET }),
      )) as PlantStoreApiError;
      expect(text).toMatch(/^x+(\[redacted\]y*)?$|^x+\[[redact]*$/);
      expect(text.length).toBeLessThanOrEqual(4096);
      expect(body).toEqual({ error: 1, message: text, [text]: { detail: [text] } });
    }
  });

  test.each([0, 5, 10, 15])("where it is full of tokens, after %i characters", async (start) => {
    const full = "x".repeat(start) + `${TOKEN} `.repeat(1000);
    expect(kept(await failure(setup([reply(500, full)])))).toMatch(/^x*(\[redacted\] )+(\[[redact]*\]?)?$/);
  });

  test.each([1, 3, 6])("a token of less than 16 characters, cut %i characters after Bearer", async (length) => {
    const cut = { token: "short-7", maxResponseBytes: 11 + length };
    expect(kept(await failure(setup([reply(500, "go. Bearer short-7")], cut)))).toBe("go. Bearer ");
  });

  test("in a cause of 16,384 characters and more", async () => {
    const long = `${"x".repeat(16_380)}${TOKEN}${"y".repeat(2 ** 20)}`;
    const { cause } = await failure(setup([Object.assign(new Error(long), { code: long })]));
    const shown = expect.stringMatching(/^x{16000,}(\[[redact]*)?$/);
    expect(cause).toMatchObject({ message: shown, code: shown });
  });
});

describe("a token of less than 16 characters", () => {
  const keptOf = async (text: string, token: string) =>
    (await failure(setup([reply(500, text)], { token }))) as unknown as { bodyText: string };

  test("is redacted after Bearer, and kept in other words", async () => {
    const text = "short-7 Bearer short-7, bearer  short-7, h=Bearer+short-7 Bearer%20short-7, Bearer short-8";
    const shown =
      "short-7 Bearer [redacted], bearer  [redacted], h=Bearer+[redacted] Bearer%20[redacted], Bearer short-8";
    expect(await keptOf(text, "short-7")).toMatchObject({ bodyText: shown });
  });
  test("does not make the kept text longer than 4096 characters", async () => {
    const { bodyText } = await keptOf("Bearer t ".repeat(455), "t");
    expect(bodyText).toHaveLength(4096);
  });
  test("of 15 characters counts as short, of 16 as long", async () => {
    expect(await keptOf("abcdefghijklmno x", "abcdefghijklmno")).toMatchObject({ bodyText: "abcdefghijklmno x" });
    expect(await keptOf("abcdefghijklmnop x", "abcdefghijklmnop")).toMatchObject({ bodyText: "[redacted] x" });
  });
});

test("all tokens of a call are redacted; of one that begins with another, no rest is kept", async () => {
  const first = "token-0123456789";
  const second = `${first}-the-rest-of-the-second`;
  const token: TokenProvider = ({ rejectedToken }) => (rejectedToken ? second : first);
  const error = await failure(setup([refused(401), reply(403, `${second} ${first}`, { "x-echo": second })], { token }));
  expect(error).toMatchObject({ bodyText: "[redacted] [redacted]" });
  expect((error as PlantStoreApiError).headers.get("x-echo")).toBe("[redacted]");
});

test("an error keeps no cookie", async () => {
  const response = refused(400, { "x-place": "Beet 4" });
  for (const cookie of ["session=7", "b=2"]) response.headers.append("set-cookie", cookie);
  const error = (await failure(setup([response]))) as PlantStoreApiError;
  expect(everythingOf(error)).not.toContain("session=7");
  expect([...error.headers.keys()]).toContain("x-place");
});

test("a token of digits is redacted where a response has it as a number", async () => {
  const token = "1234567890123456";
  const error = await failure(setup([reply(400, `{"error":1,"message":"no","token":${token},"n":7}`)], { token }));
  expect(error).toMatchObject({ body: { error: 1, message: "no", token: "[redacted]", n: 7 } });
});

test.each(["\\".repeat(20), `${"\\".repeat(8)}${"a".repeat(20)}`, "a"])(
  "a body crafted to be slow to search for %s is searched in linear time",
  async (token) => {
    for (const text of ["\\", "%5c", "%25", "&amp;", "Bearer ", "a", " ", "+"]) {
      const error = await failure(setup([reply(500, `bearer${text.repeat(500_000 / text.length)}`)], { token }));
      expect(error.kind).toBe("response");
    }
  },
);

test("a resolved plant is never changed, its headers are; those without a token are the reply's own", async () => {
  const plant = { name: `Bearer ${TOKEN}`, tag: TOKEN, extra: TOKEN };
  const [echo, clean] = [reply(200, plant, { "x-echo": TOKEN }), reply(200, plant)];
  const { client } = setup([echo, clean]);
  const result = await client.tryCreatePlant(PLANT);
  expect(result.plant).toEqual(plant);
  expect(result.ok && result.headers.get("x-echo")).toBe("[redacted]");
  expect({ ...(result.ok && result) }.headers?.get("x-echo")).toBe("[redacted]");
  const second = await client.tryCreatePlant(PLANT);
  expect(second.ok && second.headers).toBe(clean.headers);
});

test("a client shows no token, however it is inspected", () => {
  for (const token of [TOKEN, () => TOKEN]) {
    const client = new PlantStoreClient({ baseUrl: "https://plants.test", token });
    expect(everythingOf(client)).not.toContain(TOKEN);
    expect(inspect(structuredClone(client), { showHidden: true, depth: null })).not.toContain(TOKEN);
    expect(Reflect.ownKeys(client)).toEqual([]);
  }
});

describe("a cause", () => {
  const causeOf = async (thrown: unknown) => (await failure(setup([() => Promise.reject(thrown)]))).cause as Error;

  class LoginError extends Error {
    readonly status = 401;
    readonly realms = ["plants"];
  }
  test.each([
    ["an error of the application's own class", new LoginError("logged out", { cause: { error: "invalid_grant" } })],
    ["a plain object, as OAuth libraries throw", { error: "invalid_grant", error_description: "expired", hint: null }],
    ["a DOMException", new DOMException("no", "AbortError")],
    ["a list", [new Error("one"), { status: 7n }]],
    ["a symbol", Symbol("odd")],
    ["a number", 42],
  ])("that is %s, without a token, is what was thrown", async (_, thrown) => {
    const byFetch = await causeOf(thrown);
    const provider = setup([], { token: () => Promise.reject(thrown) });
    expect([byFetch, (await failure(provider)).cause]).toEqual([thrown, thrown]);
    expect(byFetch).toBe(thrown);
  });

  test("that contains a token is a copy, with everything but the token and the class", async () => {
    const root = Object.assign(new RangeError("root"), { code: 7, errno: -104, hidden: undefined });
    const error = Object.assign(new LoginError(`outer ${TOKEN}`, { cause: root }), { code: "E_ODD", list: [1n, true] });
    const copy = await causeOf(error);
    expect({ ...copy }).toEqual({ status: 401, realms: ["plants"], code: "E_ODD", list: [1n, true] });
    expect([copy.name, copy.message]).toEqual(["Error", "outer [redacted]"]);
    expect(copy.stack).toBe(error.stack?.replaceAll(TOKEN, "[redacted]"));
    const inner = copy.cause as Error;
    expect([{ ...inner }, inner.name, inner.message]).toEqual([{ code: 7, errno: -104 }, "RangeError", "root"]);
    expect(Object.keys(copy)).not.toContain("cause");
    for (const key of ["name", "stack", "cause"]) {
      expect(Object.getOwnPropertyDescriptor(copy, key)).toMatchObject({ writable: true, configurable: true });
    }
  });

  test("that contains an object twice has it twice in the copy", async () => {
    const request = { path: "/plants" };
    const copy = await causeOf(Object.assign(new Error(TOKEN), { request, config: { request } }));
    expect({ ...copy }).toEqual({ request, config: { request } });
  });

  test.each([
    ["an object of another class", { agent: new (class Agent {})() }],
    ["a function", { toJSON: () => "x" }],
    ["a getter", Object.defineProperty({}, "later", { get: () => 7, enumerable: true })],
    ["more than 1,000 values", { list: Array.from({ length: 1_001 }, (_, i) => i) }],
    ["more than 100 levels", JSON.parse(`${"[".repeat(200)}${"]".repeat(200)}`)],
  ])("that contains %s is a copy", async (_, field) => {
    const error = Object.assign(new Error("no"), { field });
    const copy = await causeOf(error);
    expect(copy).not.toBe(error);
    expect(copy).toMatchObject({ name: "Error", message: "no", stack: error.stack });
  });
});

describe("the service's own Error", () => {
  const bodyOf = async (text: string) => ((await failure(setup([reply(400, text)]))) as PlantStoreApiError).body;

  test("keeps 100 levels, so that a logger can write it", async () => {
    const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
    const text = JSON.stringify(await bodyOf(`{"error":1,"message":"x","deep":${deep},"text":"${TOKEN}"}`));
    expect(text).toContain(`"deep":${'{"a":['.repeat(49)}{"a":null}`);
    expect(text).toContain('"text":"[redacted]"');
    const level100 = `${'{"a":['.repeat(49)}{"b":7}${"]}".repeat(49)}`;
    expect(JSON.stringify(await bodyOf(`{"error":1,"message":"x","deep":${level100}}`))).toContain(level100);
  });

  test("keeps 1,000 values, and no more of them are searched", async () => {
    const searched = vi.spyOn(RegExp.prototype, "exec");
    const { list, ...rest } = (await bodyOf(
      `{"list":[${"0,".repeat(400_000)}0],"error":1,"message":"no"}`,
    )) as never as { list: [] };
    const searches = searched.mock.calls.length;
    searched.mockRestore();
    expect(list).toHaveLength(999);
    expect(rest).toEqual({ error: 1, message: "no" });
    // Each value once, for each form of the token.
    expect(searches).toBeLessThan(1_100 * 20);
  });
});

import { inspect } from "node:util";
import { type PlantStoreApiError, PlantStoreClient, type TokenProvider } from "plant-store-client";
import { describe, expect, test } from "vitest";
import { fetchFailed } from "./fixtures/network-errors.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { brokenOff, created, json, refused, reply } from "./fixtures/replies.ts";
import { never, PLANT, type Step, setup, TOKEN, URL_OF_PLANTS } from "./fixtures/setup.ts";

/** Everything that a log, a debugger or another thread could show of a value. */
function everythingOf(value: unknown): string {
  const texts = [
    inspect(value, { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true, maxStringLength: null }),
    String(value),
    JSON.stringify(value) ?? "",
    inspect(structuredClone(value), {
      showHidden: true,
      depth: null,
    }),
  ];
  for (let link: unknown = value; link instanceof Error; link = link.cause) texts.push(`${link.stack}${link.message}`);
  return texts.join("\n");
}

/** The token as it is, and as JSON may write it. */
const FORMS = [TOKEN, TOKEN.replaceAll("/", "\\/"), TOKEN.replaceAll("/", "\\u002f"), TOKEN.replaceAll("/", "\\\\/")];
const reveals = (text: string) => FORMS.some((form) => text.includes(form));
const echo = `Bearer ${TOKEN}`;

function nodeError(): Error {
  const root = Object.assign(new Error(`connect failed for ${echo}`), {
    code: `E_${TOKEN}`,
    syscall: TOKEN,
    name: `Odd${TOKEN}`,
    request: { headers: { authorization: echo } },
  });
  const middle = Object.assign(new AggregateError([new Error(TOKEN), TOKEN, { message: TOKEN }], TOKEN), {
    cause: root,
  });
  root.cause = middle;
  return fetchFailed(middle);
}

const leaks: [name: string, step: Step][] = [
  ["an Error body", reply(400, { error: 1, message: `bad token ${echo}`, seen: { [TOKEN]: [echo, TOKEN] } })],
  ["an Error body, JSON-escaped", reply(400, `{"error":1,"message":"${TOKEN.replaceAll("/", "\\/")}"}`)],
  ["an Error body, escaped by code", reply(400, `{"error":1,"message":"${TOKEN.replaceAll("/", "\\u002F")}"}`)],
  [
    "an Error body that quotes JSON",
    reply(400, { error: 1, message: JSON.stringify({ got: TOKEN }).replaceAll("/", "\\/") }),
  ],
  ["an Error body with the token after a backslash", reply(400, { error: 1, message: `\\${TOKEN} \\\\${TOKEN}` })],
  [
    "an Error body with the token as the whole of another escape",
    reply(400, { error: 1, message: `\n${TOKEN}\u0007` }),
  ],
  [
    "an Error body with null, zero and the like after it",
    reply(400, { error: 1, message: "x", seen: { at: [TOKEN] }, none: null, zero: 0, no: false, empty: "" }),
  ],
  ["a text body", reply(500, `<p>${echo}</p>`)],
  ["a text body, JSON-escaped", reply(500, `{"a":"${TOKEN.replaceAll("/", "\\/")}"}`)],
  ["a text body, escaped by code", reply(500, `{"a":"${TOKEN.replaceAll("/", "\\u002f")}"}`)],
  ["a text body, escaped twice", reply(500, `{"a":"{\\"b\\":\\"${TOKEN.replaceAll("/", "\\\\/")}\\"}"}`)],
  [
    "a text body, every letter escaped",
    reply(500, `"${Array.from(TOKEN, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`),
  ],
  [
    "headers",
    reply(400, { error: 1, message: "x" }, { "x-echo": echo, "www-authenticate": `Bearer realm="${TOKEN}"` }),
  ],
  [
    "a cookie among others",
    (() => {
      const response = refused(400);
      response.headers.append("set-cookie", "a=1");
      response.headers.append("set-cookie", `b=${TOKEN}`);
      return response;
    })(),
  ],
  ["the address of a redirect", reply(302, null, { location: `https://x.test/?t=${TOKEN}` })],
  ["the media type of a 2xx", json("{}", `text/${TOKEN.replace("/", "")}; t="${TOKEN}"`)],
  ["a 2xx without a valid plant", json(`{"token":"${TOKEN}"}`)],
  ["a network error with causes in a ring", nodeError()],
  ["an error that is a text", () => Promise.reject(echo)],
  ["an error that is a symbol", () => Promise.reject(Symbol(TOKEN))],
  ["an error that is a function", () => Promise.reject(Object.assign(() => "x", { toString: () => TOKEN }))],
  ["an error that is a plain object", () => Promise.reject({ message: TOKEN, stack: TOKEN, token: TOKEN })],
  ["a body that breaks off", brokenOff(200, new Error(`terminated ${TOKEN}`))],
];
leaks.forEach(([name, step]) => {
  test(`${name} that echoes the token is kept without it`, async () => {
    const seen: unknown[] = [];
    const again = () => (step instanceof Response ? step.clone() : step);
    const mocked = setup(
      [again as Step, again as Step].map((make) => () => {
        const made = (make as () => Step)();
        if (made instanceof Error) throw made;
        return typeof made === "function" ? made("", {}) : made;
      }),
      { maxRetries: 0, onAttempt: (attempt) => seen.push(attempt) },
    );
    const result = await mocked.clock.until(mocked.client.tryCreatePlant(PLANT));
    expect(result.ok).toBe(false);
    expect(reveals(everythingOf(seen))).toBe(false);
    expect(reveals(inspect(result, { showHidden: true, depth: Number.POSITIVE_INFINITY }))).toBe(false);
    if (result.ok) return;
    const { error } = result;
    expect(reveals([...("headers" in error ? error.headers : [])].flat().join())).toBe(false);
    expect(reveals(everythingOf(error))).toBe(false);
    expect(everythingOf(error)).toContain("[redacted]");
  });
});

test("what surrounds the token is kept as it was", async () => {
  const error = await failure(setup([reply(400, { error: 1, message: `no, ${echo}!` }, { "x-echo": `<${TOKEN}>` })]));
  expect(error).toMatchObject({
    kind: "api",
    message: `POST ${URL_OF_PLANTS} returned 400: no, Bearer [redacted]!; the service refused it`,
    body: { error: 1, message: "no, Bearer [redacted]!" },
  });
  expect("headers" in error && error.headers.get("x-echo")).toBe("<[redacted]>");
  const text = await failure(setup([reply(500, `a\\"${TOKEN}\\"b\\n ${TOKEN}`)]));
  expect(text).toMatchObject({ bodyText: 'a\\"[redacted]\\"b\\n [redacted]' });
});

test("a text that was not cut keeps what is only the beginning of a token", async () => {
  const text = `not ${TOKEN.slice(0, 12)}`;
  expect(await failure(setup([reply(500, text)]))).toMatchObject({ bodyText: text });
  expect(await failure(setup([reply(400, { error: 1, message: text })]))).toMatchObject({ body: { message: text } });
  const inHeaders = await failure(setup([reply(500, TOKEN, { "x-hint": text })]));
  expect("headers" in inHeaders && inHeaders.headers.get("x-hint")).toBe(text);
  const named = { error: 1, message: "no", [text]: 1 };
  expect(await failure(setup([reply(400, named)]))).toMatchObject({ body: named });
  expect(await failure(setup([new Error(text)]))).toMatchObject({ cause: { message: text } });
  const titled = reply(500, { title: text }, { "content-type": "application/problem+json" });
  expect((await failure(setup([titled]))).message).toContain(`returned 500: ${text}; the plant may exist`);
  const short = "Bearer short-8, Bearer other-word, Bearer shor";
  expect(await failure(setup([reply(500, short)], { token: "short-7" }))).toMatchObject({ bodyText: short });
});

test("and after a whole token, too", async () => {
  const text = `${TOKEN}, not ${TOKEN.slice(0, 12)}`;
  const bodyText = `[redacted], not ${TOKEN.slice(0, 12)}`;
  expect(await failure(setup([reply(500, text)]))).toMatchObject({ bodyText });
  const short = setup([reply(500, "Bearer short-7, Bearer shor")], { token: "short-7" });
  expect(await failure(short)).toMatchObject({ bodyText: "Bearer [redacted], Bearer shor" });
});

test.each([
  ["the first header", "a-token", { "a-token": TOKEN, "z-other": "1" }],
  ["the last header", "z-token", { "a-other": "1", "z-token": TOKEN }],
])("a token in %s alone is redacted", async (_which, name, headers) => {
  const error = await failure(setup([reply(500, "no", headers)]));
  expect("headers" in error && Object.fromEntries(error.headers)).toMatchObject({ ...headers, [name]: "[redacted]" });
});

test("headers without a token are those of the reply itself", async () => {
  const response = created();
  const result = await setup([response]).client.tryCreatePlant(PLANT);
  expect(result.ok && result.headers).toBe(response.headers);
});

describe("a cause is a copy", () => {
  const causeOf = async (thrown: unknown) => (await failure(setup([() => Promise.reject(thrown)]))).cause as Error;

  test("with the name, message, stack, code, system call and cause of the error", async () => {
    const root = Object.assign(new RangeError("root"), { code: 7, errno: -104 });
    const error = Object.assign(new TypeError("outer", { cause: root }), { code: "E_ODD", syscall: "read" });
    const copy = await causeOf(error);
    expect(copy).not.toBe(error);
    expect({ ...copy }).toEqual({ code: "E_ODD", syscall: "read" });
    expect([copy.name, copy.message, copy.stack]).toEqual(["TypeError", "outer", error.stack]);
    const inner = copy.cause as Error;
    expect({ ...inner }).toEqual({ code: 7 });
    expect([inner.name, inner.message, inner.stack]).toEqual(["RangeError", "root", root.stack]);
    expect("cause" in inner || "errors" in inner).toBe(false);
  });

  test("which is an Error of no message if an object has neither", async () => {
    const copy = await causeOf({ code: true });
    expect([copy.name, copy.message, copy.stack]).toEqual(["Error", "", "Error: "]);
    expect(Object.keys(copy)).toEqual([]);
  });

  test("whose name, stack and cause may be changed, as those of any error", async () => {
    const copy = await causeOf(new TypeError("outer", { cause: new Error("root") }));
    for (const key of ["name", "stack", "cause"]) {
      expect(Object.getOwnPropertyDescriptor(copy, key)).toMatchObject({
        writable: true,
        enumerable: false,
        configurable: true,
      });
    }
  });
});

describe("a text that was cut within the token", () => {
  const at = (text: string, maxResponseBytes: number) => failure(setup([reply(500, text)], { maxResponseBytes }));
  test.each([4, 5, 10, TOKEN.length - 1])("shows none of its first %i characters", async (length) => {
    expect(await at(`token=${TOKEN}`, 6 + length)).toMatchObject({ bodyText: "token=[redacted]" });
  });
  test("shows none of them if it has no others", async () => {
    expect(await at(TOKEN, 10)).toMatchObject({ bodyText: "[redacted]" });
  });
  test("keeps an end that is only within the token", async () => {
    expect(await at(`token=${TOKEN.slice(1)}`, 12)).toMatchObject({ bodyText: `token=${TOKEN.slice(1, 7)}` });
  });
  test.each([1, 2, 3])("keeps its first %i characters, which give nothing away", async (length) => {
    expect(await at(`token=${TOKEN}`, 6 + length)).toMatchObject({ bodyText: `token=${TOKEN.slice(0, length)}` });
  });
  test.each([
    ...["\\", "\\u", "\\u0", "\\u00", "\\u002"],
    ...["%", "%2", "%25", "%252", "%25252"],
    ...["&", "&#", "&#4", "&#x", "&#x2", "&#X2"],
  ])("nor where the cut is within an escape: %s", async (rest) => {
    const before = TOKEN.slice(0, TOKEN.indexOf("/"));
    const text = `"${before}${rest}002fabc"`;
    const { bodyText } = (await at(text, 1 + before.length + rest.length)) as { bodyText?: string };
    expect(bodyText?.startsWith('"[redacted]')).toBe(true);
  });
  test("and keeps what stands before it, escapes included", async () => {
    const text = `{"a":"\\n\\u00e4","b":"${TOKEN}`;
    expect(await at(text, text.length - 5)).toMatchObject({ bodyText: '{"a":"\\n\\u00e4","b":"[redacted]' });
  });
  test.each([`${"a".repeat(20)}b`, `${"ab".repeat(10)}c`, "aabaaab".repeat(3)])(
    "shows none of them if the token repeats itself: %s",
    async (token) => {
      const prefixes = Array.from({ length: token.length - 4 }, (_, i) => token.slice(0, i + 4));
      for (const cut of prefixes.flatMap((prefix) => ["", "a", "ab", "aab", "c"].map((before) => before + prefix))) {
        const longest = prefixes.findLast((prefix) => cut.endsWith(prefix)) as string;
        const mocked = setup([reply(500, `${cut}!`)], { token, maxResponseBytes: cut.length });
        const bodyText = cut.includes(token) ? expect.any(String) : `${cut.slice(0, -longest.length)}[redacted]`;
        expect(await failure(mocked)).toMatchObject({ bodyText });
      }
    },
  );
  test("is searched in linear time", async () => {
    const token = `${"a".repeat(2 ** 19)}b`;
    const mocked = setup([reply(500, `${"a".repeat(2 ** 19)}c!`)], { token, maxResponseBytes: 2 ** 19 + 1 });
    expect(await failure(mocked)).toMatchObject({ bodyText: "a".repeat(4096) });
  });
  test("takes the end of a whole one for no beginning of another", async () => {
    const token = "secr-0123456789-secr";
    const mocked = setup([reply(500, `${token} and more`)], { token, maxResponseBytes: token.length });
    expect(await failure(mocked)).toMatchObject({ bodyText: "[redacted]" });
  });
  test("nor of one that is whole before", async () => {
    expect(await at(`${TOKEN}${TOKEN}`, TOKEN.length + 8)).toMatchObject({ bodyText: "[redacted][redacted]" });
  });
  test("the kept 4096 characters are counted after the redaction", async () => {
    const error = await failure(setup([reply(500, `${"x".repeat(4090)}${TOKEN}`)]));
    expect(error).toMatchObject({ bodyText: `${"x".repeat(4090)}[redac` });
  });
});

describe("a token of less than 16 characters", () => {
  const token = "short-7";
  test("is redacted after Bearer, and kept in other words", async () => {
    const error = await failure(
      setup([reply(500, `short-7 Bearer short-7, bearer  short-7, h=Bearer+short-7 {"a":"Bearer\\u0020short-7"}`)], {
        token,
      }),
    );
    expect(error).toMatchObject({
      bodyText: `short-7 Bearer [redacted], bearer  [redacted], h=Bearer+[redacted] {"a":"Bearer\\u0020[redacted]"}`,
    });
  });
  test.each([1, 3, 6])("is redacted if the text was cut %i characters after Bearer", async (length) => {
    const mocked = setup([reply(500, "Bearer short-7")], { token, maxResponseBytes: 7 + length });
    expect(await failure(mocked)).toMatchObject({ bodyText: "Bearer [redacted]" });
  });
  test("is absent if the text was cut right after Bearer", async () => {
    const mocked = setup([reply(500, "Bearer short-7")], { token, maxResponseBytes: 7 });
    expect(await failure(mocked)).toMatchObject({ bodyText: "Bearer " });
  });
  test("of 15 characters counts as short, of 16 as long", async () => {
    const fifteen = "abcdefghijklmno";
    expect(await failure(setup([reply(500, `${fifteen} x`)], { token: fifteen }))).toMatchObject({
      bodyText: `${fifteen} x`,
    });
    const sixteen = `${fifteen}p`;
    expect(await failure(setup([reply(500, `${sixteen} x`)], { token: sixteen }))).toMatchObject({
      bodyText: "[redacted] x",
    });
  });
});

test.each([4_000, 20_000])("a token of %i characters is redacted, too", async (length) => {
  const token = "0123456789/".repeat(length / 11).slice(0, length);
  const error = await failure(setup([reply(400, { error: 1, message: `got ${token}.` })], { token }));
  expect(error).toMatchObject({ kind: "api", body: { message: "got [redacted]." } });
});

test("a body crafted to be slow to search is searched in linear time", async () => {
  const token = "\\".repeat(8).concat("a".repeat(20));
  for (const text of ["\\".repeat(500_000), "Bearer ".repeat(70_000), "a".repeat(500_000), " ".repeat(500_000)]) {
    for (const each of [token, "a"]) {
      const error = await failure(setup([reply(500, `bearer${text}`)], { token: each }));
      expect(error.kind).toBe("response");
    }
  }
});

test("both tokens of a call are redacted", async () => {
  const token: TokenProvider = ({ rejectedToken }) => (rejectedToken ? "second-token-0123456" : "first-token-01234567");
  const error = await failure(
    setup([refused(401), reply(403, "first-token-01234567 second-token-0123456")], { token }),
  );
  expect(error).toMatchObject({ bodyText: "[redacted] [redacted]" });
});

test("of a token that begins with another one, no rest is kept", async () => {
  const first = "token-0123456789";
  const second = `${first}-the-rest-of-the-second`;
  const token: TokenProvider = ({ rejectedToken }) => (rejectedToken ? second : first);
  const error = await failure(setup([refused(401), reply(403, `${second} ${first}`, { "x-echo": second })], { token }));
  expect(error).toMatchObject({ kind: "response", bodyText: "[redacted] [redacted]" });
  if (error.kind === "response") expect(error.headers.get("x-echo")).toBe("[redacted]");
});

test("a token of digits is redacted where a response has it as a number", async () => {
  const token = "1234567890123456";
  const error = await failure(setup([reply(400, `{"error":1,"message":"no","token":${token}}`)], { token }));
  expect(error).toMatchObject({ body: { error: 1, message: "no", token: "[redacted]" } });
});

test("a resolved plant is never changed, its headers are", async () => {
  const plant = { name: `Bearer ${TOKEN}`, tag: TOKEN, extra: TOKEN };
  const { client } = setup([() => reply(200, plant, { "x-echo": TOKEN }), () => reply(200, plant)]);
  const result = await client.tryCreatePlant(PLANT);
  expect(result.ok && result.plant).toEqual(plant);
  expect(result.ok && result.headers.get("x-echo")).toBe("[redacted]");
  expect(await client.createPlant(PLANT)).toEqual(plant);
});

test("a client shows no token, however it is inspected", () => {
  for (const token of [TOKEN, () => TOKEN]) {
    const client = new PlantStoreClient({ baseUrl: "https://plants.test", token });
    expect(reveals(everythingOf(client))).toBe(false);
    expect(Object.keys(client)).toEqual([]);
    expect(Reflect.ownKeys(client)).toEqual([]);
  }
});

test("a wrong token is refused without being shown", () => {
  for (const token of [`${TOKEN}\n`, `Bearer ${TOKEN}`, `ü${TOKEN}`]) {
    let caught: unknown;
    try {
      new PlantStoreClient({ baseUrl: "https://plants.test", token });
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({ kind: "config", option: "token" });
    expect(reveals(everythingOf(caught))).toBe(false);
  }
});

test("a timeout and an abort show no token", async () => {
  const late = await failure(setup([() => never()], { timeoutMs: 5 }));
  expect(reveals(everythingOf(late))).toBe(false);
  const { client } = setup([created()]);
  const aborted = await client.tryCreatePlant(PLANT, { signal: AbortSignal.abort("x") });
  expect(reveals(everythingOf(aborted))).toBe(false);
});

test("a token of backslashes alone ends no call in a loop", async () => {
  const token = "\\".repeat(20);
  expect(await failure(setup([reply(500, `a ${token} b`)], { token }))).toMatchObject({
    kind: "response",
    status: 500,
  });
});

test("the first 32 causes of an endless chain are kept", async () => {
  let error = new Error("innermost");
  for (let i = 0; i < 100; i++) error = new Error(`cause ${i}`, { cause: error });
  const { cause } = await failure(setup([error]));
  let depth = 0;
  for (let link = cause; link instanceof Error; link = link.cause) depth++;
  expect(depth).toBe(32);
});

describe("a token that is hidden in a response", () => {
  const SECRET = "Secret/0123456789+abc=";

  test.each([
    ["percent-encoded", encodeURIComponent(SECRET)],
    ["in lower case", SECRET.toLowerCase()],
    ["escaped as in JSON, then percent-encoded", encodeURIComponent(SECRET.replace("/", "\\/"))],
    ["percent-encoded three times", encodeURIComponent(encodeURIComponent(encodeURIComponent(SECRET)))],
    ["escaped as in HTML", SECRET.replace("/", "&#x2F;").replace("+", "&#43;").replace("=", "&#x003d;")],
    ["percent-encoded in full", [...SECRET].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("")],
  ])("%s, is not kept", async (_, form) => {
    const answer = reply(500, `before ${form} after, 100 % sure`, { location: `/login?token=${form}` });
    const error = await failure(setup([answer], { token: SECRET }));
    expect(error).toMatchObject({ kind: "response", bodyText: "before [redacted] after, 100 % sure" });
    expect(JSON.stringify(error)).not.toContain(form);
  });

  test.each([
    ["escapes", "Secret%2F0123456789%25&#43;\\u002F"],
    ["the beginning of an escape at its end", "Secret-0123456789%"],
  ])("and itself contains %s, is not kept", async (_, token) => {
    const answer = reply(500, `100 % of ${token}`, { location: token });
    const error = await failure(setup([answer], { token }));
    expect(error).toMatchObject({ kind: "response", bodyText: "100 % of [redacted]" });
    expect(JSON.stringify(error)).not.toContain(token);
  });

  test("in the name of a header, is not kept", async () => {
    const token = "Secret-0123456789-abc";
    const error = await failure(setup([reply(500, "no", { [`x-${token}`]: "1" })], { token }));
    expect(JSON.stringify(error).toLowerCase()).not.toContain(token.toLowerCase());
    expect([...(error as unknown as { headers: Headers }).headers.keys()]).toContain("redacted");
  });

  test.each([4090, 4095, 4096, 4097])("across the end of what is kept, from %i on, is not kept", async (start) => {
    const body = `${"x".repeat(start)}${SECRET}${"y".repeat(9000)}`;
    const error = await failure(setup([reply(500, body)], { token: SECRET }));
    const { bodyText } = error as unknown as { bodyText: string };
    expect(bodyText.length).toBeLessThanOrEqual(4096);
    expect(bodyText).not.toContain("Secr");
  });
});

test("the service's own Error keeps 100 levels, so that a logger can write it", async () => {
  const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
  const error = await failure(setup([reply(400, `{"error":1,"message":"x","deep":${deep},"text":"${TOKEN}"}`)]));
  const text = JSON.stringify(error);
  expect(text).toContain(`"deep":${'{"a":['.repeat(49)}{"a":null}`);
  expect(text).toContain('"text":"[redacted]"');
  const level100 = `${'{"a":['.repeat(49)}{"b":7}${"]}".repeat(49)}`;
  const whole = await failure(setup([reply(400, `{"error":1,"message":"x","deep":${level100}}`)]));
  expect(JSON.stringify(whole)).toContain(level100);
});

test("the texts of a cause are cut, without a token at the end", async () => {
  const long = `${"x".repeat(16_380)}${TOKEN}${"y".repeat(2 ** 20)}`;
  const { cause } = await failure(setup([Object.assign(new Error(long), { code: long })]));
  expect(cause).toMatchObject({ message: `${"x".repeat(16_380)}[red`, code: `${"x".repeat(16_380)}[red` });
});

describe("a long text in the service's own Error", () => {
  test.each([4090, 4095, 4096, 4097])("is kept to 4096 characters, without a token from %i on", async (start) => {
    const long = `${"x".repeat(start)}${TOKEN}${"y".repeat(2 ** 16)}`;
    const error = await failure(setup([reply(400, { error: 1, message: long, [`${long}!`]: { detail: [long] } })]));
    const { body } = error as PlantStoreApiError;
    const kept = `${"x".repeat(start)}[redacted]`.slice(0, 4096);
    expect(body).toEqual({ error: 1, message: kept, [kept]: { detail: [kept] } });
  });

  test.each([0, 5, 10, 15])("shows no part of a token where it is full of them, after %i characters", async (start) => {
    const full = "x".repeat(start) + `${TOKEN} `.repeat(1000);
    const shown = /^x*(\[redacted\] )+(\[redacted\]|.{0,3})$/;
    expect(await failure(setup([reply(400, { error: 1, message: full })]))).toMatchObject({
      body: { message: expect.stringMatching(shown) },
    });
    expect(await failure(setup([reply(500, full)]))).toMatchObject({ bodyText: expect.stringMatching(shown) });
  });
});

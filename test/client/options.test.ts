import {
  type CreatePlantOptions,
  PlantStoreClient,
  type PlantStoreClientOptions,
  PlantStoreConfigError,
} from "plant-store-client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { portProblem } from "../../src/checks/base-url.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused } from "./fixtures/replies.ts";
import { BASE_URL, PLANT, setup, TOKEN, URL_OF_PLANTS } from "./fixtures/setup.ts";

function configError(options: unknown): PlantStoreConfigError {
  try {
    new PlantStoreClient(options as PlantStoreClientOptions);
  } catch (error) {
    if (error instanceof PlantStoreConfigError) return error;
    throw error;
  }
  throw new Error("The options were accepted");
}
const withRest = (options: object) => ({ baseUrl: BASE_URL, token: "t", ...options });

const NAMES =
  "timeoutMs, maxRetries, retry, headers, onAttempt, baseUrl, allowInsecure, token, fetch, maxResponseBytes, backoff";
const FRAMING = "is set by the transport that sends the request: leave it out";
const PLAIN = "must be a plain object, such as Object.fromEntries(map); received";
const LATIN_1 = "must be Latin-1 characters without line breaks; character";
const VISIBLE = "must be visible ASCII characters without spaces; character";
const URL_RULE = "must be an http or https URL, such as https://plants.example";
const TIMEOUT = "must be an integer from 1 to 2147483647";
const wrong: [options: object, option: string, rule: string][] = [
  [{ timeoutMs: 0 }, "timeoutMs", `${TIMEOUT}, not 0`],
  [{ timeoutMs: 2 ** 31 }, "timeoutMs", `${TIMEOUT}, not 2147483648`],
  [{ timeoutMs: 1.5 }, "timeoutMs", `${TIMEOUT}, not 1.5`],
  [{ timeoutMs: Number.NaN }, "timeoutMs", `${TIMEOUT}, not NaN`],
  [{ timeoutMs: Number.POSITIVE_INFINITY }, "timeoutMs", `${TIMEOUT}, not Infinity`],
  [{ timeoutMs: "1000" }, "timeoutMs", `${TIMEOUT}, not "1000"`],
  [{ timeoutMs: null }, "timeoutMs", `${TIMEOUT}, not null`],
  [{ maxRetries: -1 }, "maxRetries", "must be an integer from 0 to 1000, not -1"],
  [{ maxRetries: Number.POSITIVE_INFINITY }, "maxRetries", "must be an integer from 0 to 1000, not Infinity"],
  [{ retry: "always" }, "retry", 'must be "safe" or "idempotent", not "always"'],
  [{ retry: true }, "retry", 'must be "safe" or "idempotent", not true'],
  [{ fetch: "fetch" }, "fetch", 'must be a function, not "fetch"'],
  [{ allowInsecure: 1 }, "allowInsecure", "must be true or false, not 1"],
  [{ allowInsecure: "true" }, "allowInsecure", 'must be true or false, not "true"'],
  [{ onAttempt: {} }, "onAttempt", "must be a function, not an object"],
  [{ backoff: 0 }, "backoff", "must be an object, not a number"],
  [{ backoff: null }, "backoff", "must be an object, not null"],
  [{ backoff: { initialMs: -1 } }, "backoff.initialMs", "must be an integer from 0 to 2147483647, not -1"],
  [{ backoff: { maxMs: 0.5 } }, "backoff.maxMs", "must be an integer from 0 to 2147483647, not 0.5"],
  [{ maxResponseBytes: 0 }, "maxResponseBytes", "must be an integer from 1 to 9007199254740991, not 0"],
  [{ headers: [] }, "headers", `${PLAIN} an array`],
  [{ headers: null }, "headers", `${PLAIN} null`],
  [{ headers: "X: 1" }, "headers", `${PLAIN} a string`],
  [{ headers: new Headers({ "X-A": "1" }) }, "headers", `${PLAIN} an object`],
  [{ headers: new Map([["X-A", "1"]]) }, "headers", `${PLAIN} an object`],
  [
    { headers: { Authorization: "Basic x" } },
    "headers.Authorization",
    "would replace the bearer token: use the token option",
  ],
  [
    { headers: { AUTHORIZATION: "x" } },
    "headers.AUTHORIZATION",
    "would replace the bearer token: use the token option",
  ],
  [{ headers: { "content-type": "text/plain" } }, "headers.content-type", "is always application/json: leave it out"],
  [{ headers: { "Content-Length": "x" } }, "headers.Content-Length", FRAMING],
  [{ headers: { "transfer-encoding": "x" } }, "headers.transfer-encoding", FRAMING],
  [{ headers: { Connection: "x" } }, "headers.Connection", FRAMING],
  [{ headers: { "Keep-Alive": "x" } }, "headers.Keep-Alive", FRAMING],
  [{ headers: { expect: "x" } }, "headers.expect", FRAMING],
  [{ headers: { Upgrade: "x" } }, "headers.Upgrade", FRAMING],
  [{ headers: { "": "x" } }, "headers.", "is not a valid header name"],
  [{ headers: { "authorization ": "x" } }, "headers.authorization ", "is not a valid header name"],
  [{ headers: { "x y": "x" } }, "headers.x y", "is not a valid header name"],
  [{ headers: { "x\n": "x" } }, "headers.x\n", "is not a valid header name"],
  [{ headers: { ü: "x" } }, "headers.ü", "is not a valid header name"],
  [{ headers: { "X-A": 1 } }, "headers.X-A", "must be a string, not a number"],
  [{ headers: { "X-A": undefined } }, "headers.X-A", "must be a string, not undefined"],
  [{ headers: { "X-A": "a\r\nAuthorization: x" } }, "headers.X-A", `${LATIN_1} 2 is "\\r"`],
  [{ headers: { "X-A": "🌱" } }, "headers.X-A", `${LATIN_1} 1 is "\\ud83c"`],
  [{ headers: { "X-A": "\0" } }, "headers.X-A", `${LATIN_1} 1 is "\\u0000"`],
  [{ token: "" }, "token", "must not be empty"],
  [{ token: "Bearer abc" }, "token", 'must be the token alone, without "Bearer "'],
  [{ token: "abc\n" }, "token", `${VISIBLE} 4 is "\\n"`],
  [{ token: "a b" }, "token", `${VISIBLE} 2 is " "`],
  [{ token: "tökén" }, "token", `${VISIBLE} 2 is "ö"`],
  [{ token: 42 }, "token", "must be a string, not a number"],
  [{ token: null }, "token", "must be a string, not null"],
  [{ baseUrl: "" }, "baseUrl", `${URL_RULE}, not ""`],
  [{ baseUrl: "/v1" }, "baseUrl", `${URL_RULE}, not "/v1"`],
  [{ baseUrl: "plants.test" }, "baseUrl", `${URL_RULE}, not "plants.test"`],
  [{ baseUrl: "ftp://plants.test" }, "baseUrl", `${URL_RULE}, not "ftp://plants.test"`],
  [{ baseUrl: "xhttps://plants.test" }, "baseUrl", `${URL_RULE}, not "xhttps://plants.test"`],
  [{ baseUrl: "file:///plants" }, "baseUrl", `${URL_RULE}, not "file:///plants"`],
  [{ baseUrl: "localhost:4010" }, "baseUrl", `${URL_RULE}, not "localhost:4010"`],
  // The value may be a password, or a token that was passed as the URL.
  [{ baseUrl: "user:s3cret@plants.test" }, "baseUrl", URL_RULE],
  [{ baseUrl: "eyJhbGciOiJub25lIn0.e30." }, "baseUrl", URL_RULE],
  [{ baseUrl: "https://user:pass@plants.test" }, "baseUrl", "must not contain a user name or password"],
  [{ baseUrl: "https://user@plants.test" }, "baseUrl", "must not contain a user name or password"],
  [{ baseUrl: "https://:pass@plants.test" }, "baseUrl", "must not contain a user name or password"],
  [{ baseUrl: "https://plants.test?key=1" }, "baseUrl", "must not contain a query or fragment"],
  [{ baseUrl: "https://plants.test#top" }, "baseUrl", "must not contain a query or fragment"],
  [{ baseUrl: 7 }, "baseUrl", "must be a string or a URL, not a number"],
  [{ baseUrl: null }, "baseUrl", "must be a string or a URL, not null"],
  [{ baseUrl: { href: 7 } }, "baseUrl", "must be a string or a URL, not an object"],
];

test.each(wrong)("%j is refused, by name: %s", (options, option, rule) => {
  const error = configError(withRest(options));
  expect(error).toMatchObject({
    kind: "config",
    option,
    message: `${option} ${rule}`,
    outcome: "not-sent",
    attempts: [],
  });
  expect(error.name).toBe("PlantStoreConfigError");
});

const inheriting = Object.create({ timeoutMs: 5 });
const withGetter = {
  get timeoutMs(): number {
    throw new Error("the getter was called");
  },
};
const unreadable = new Proxy(
  {},
  {
    ownKeys() {
      throw new Error("no keys");
    },
  },
);
const refusedByName: [option: string, message: string, options: object][] = [
  ["timeout", 'unknown option "timeout"; did you mean "timeoutMs"?', { timeout: 1000 }],
  ["baseURL", 'unknown option "baseURL"; did you mean "baseUrl"?', { baseURL: "https://plants.test" }],
  ["tiemoutMs", 'unknown option "tiemoutMs"; did you mean "timeoutMs"?', { tiemoutMs: undefined }],
  ["toString", `unknown option "toString"; known options: ${NAMES}`, { toString: 1 }],
  ["signal", `unknown option "signal"; known options: ${NAMES}`, { signal: AbortSignal.abort() }],
  ["__proto__", `unknown option "__proto__"; known options: ${NAMES}`, JSON.parse('{"__proto__":1}')],
  ["timeoutMs", "timeoutMs must be a plain property of the object itself; it is inherited", inheriting],
  ["timeoutMs", "timeoutMs must be a plain property of the object itself; it is an accessor", withGetter],
  ["options", "options cannot be read: no keys", unreadable],
];

test.each(refusedByName)("%s is refused without being called: %s", (option, message, options) => {
  expect(configError(options)).toMatchObject({ kind: "config", option, message, outcome: "not-sent", attempts: [] });
});

test("options of a call may be a Proxy that refuses every name it does not know", async () => {
  const target: Record<PropertyKey, unknown> = { timeoutMs: 100 };
  const options = new Proxy(target, {
    get(_, name) {
      throw new Error(`no property ${String(name)}`);
    },
  });
  expect(await setup([created()]).client.tryCreatePlant(PLANT, options)).toMatchObject({ ok: true });
});

const hidden = new Proxy({}, { getPrototypeOf: () => withGetter.timeoutMs as never });
test.each<[message: string, headers: object]>([
  ["headers cannot be read: the getter was called", withGetter],
  ["headers cannot be read: no keys", unreadable],
  ["headers cannot be read: the getter was called", hidden],
])("headers that throw are refused, of the client and of a call: %s", async (message, headers) => {
  const options = { headers: headers as Record<string, string> };
  expect(configError(withRest(options))).toMatchObject({ kind: "config", option: "headers", message });
  expect(await failure(setup([]), options)).toMatchObject({ kind: "config", option: "headers", message });
});

test.each<[options: unknown, kind: string]>([
  [null, "null"],
  [7, "a number"],
  ["https://plants.test", "a string"],
  [[], "an array"],
  [() => ({}), "a function"],
])("options of %j are refused", (options, kind) => {
  expect(configError(options)).toMatchObject({ option: "options", message: `options must be an object, not ${kind}` });
});

const never = {
  fail: () => {
    throw new Error("the getter was called");
  },
};
const CALL_NAMES = "timeoutMs, maxRetries, retry, headers, onAttempt, signal";
const wrongOfCall: [options: unknown, option: string, rule: string][] = [
  [{ timeoutMs: 0 }, "timeoutMs", `${TIMEOUT}, not 0`],
  [{ maxRetries: 1.5 }, "maxRetries", "must be an integer from 0 to 1000, not 1.5"],
  [{ retry: "never" }, "retry", 'must be "safe" or "idempotent", not "never"'],
  [
    { headers: { authorization: "x" } },
    "headers.authorization",
    "would replace the bearer token: use the token option",
  ],
  [{ headers: new Headers() }, "headers", `${PLAIN} an object`],
  [{ signal: {} }, "signal", "must be an AbortSignal, not an object"],
  [{ signal: { aborted: false } }, "signal", "must be an AbortSignal, not an object"],
  [{ signal: new EventTarget() }, "signal", "must be an AbortSignal, not an object"],
  [{ signal: { aborted: false, addEventListener: () => {} } }, "signal", "must be an AbortSignal, not an object"],
  [{ signal: { aborted: false, removeEventListener: () => {} } }, "signal", "must be an AbortSignal, not an object"],
  [
    { signal: Object.defineProperty({}, "aborted", { get: () => never.fail() }) },
    "signal",
    "must be an AbortSignal, not an object",
  ],
  [{ signal: null }, "signal", "must be an AbortSignal, not null"],
  [{ signal: new AbortController() }, "signal", "must be an AbortSignal, not an object"],
  [new AbortController(), "signal", "must be a plain property of the object itself; it is inherited"],
  [null, "options", "must be an object, not null"],
  ["fast", "options", "must be an object, not a string"],
  [0, "options", "must be an object, not a number"],
];
test.each(wrongOfCall)("of a call, %j is refused, by name: %s", async (options, option, rule) => {
  const mocked = setup([]);
  const error = await failure(mocked, options as never);
  expect(error).toMatchObject({ kind: "config", option, message: `${option} ${rule}`, outcome: "not-sent" });
  const result = await mocked.client.tryCreatePlant(PLANT, options as never);
  expect(result).toMatchObject({ ok: false, attempts: [], error: { kind: "config" } });
  expect(mocked.posts).toHaveLength(0);
});

test.each<[name: string, hint: string]>([
  ["token", `known options: ${CALL_NAMES}`],
  ["baseUrl", `known options: ${CALL_NAMES}`],
  ["idempotencyKey", `known options: ${CALL_NAMES}`],
  ["timeout", 'did you mean "timeoutMs"?'],
  ["Signal", 'did you mean "signal"?'],
])("of a call, the unknown %s is refused by name", async (name, hint) => {
  const mocked = setup([]);
  const message = `unknown option "${name}"; ${hint}`;
  expect(await failure(mocked, { [name]: "x" })).toMatchObject({ kind: "config", option: name, message });
  expect(mocked.posts).toHaveLength(0);
});

describe("undefined is absent", () => {
  test("in the client's options", async () => {
    const absent = {
      timeoutMs: undefined,
      maxRetries: undefined,
      retry: undefined,
      headers: undefined,
      maxResponseBytes: undefined,
      onAttempt: undefined,
    };
    const { client } = setup([created()], absent);
    expect(await client.createPlant(PLANT)).toEqual({ name: "Monstera", tag: "indoor" });
  });
  test("in the options of a call", async () => {
    const { client } = setup([created()]);
    const absent = {
      signal: undefined,
      timeoutMs: undefined,
      maxRetries: undefined,
      retry: undefined,
      headers: undefined,
    };
    expect(await client.createPlant(PLANT, absent)).toEqual({ name: "Monstera", tag: "indoor" });
  });
});

describe("an option of a call overrides the client's for that call", () => {
  const posts = async (status: number, options: PlantStoreClientOptions, ofCall: CreatePlantOptions) => {
    const mocked = setup(
      Array.from({ length: 5 }, () => () => refused(status)),
      options,
    );
    await failure(mocked, ofCall);
    return mocked.posts.length;
  };
  test("maxRetries", async () => {
    expect(await posts(429, { maxRetries: 1 }, { maxRetries: 3 })).toBe(4);
    expect(await posts(429, { maxRetries: 1 }, { maxRetries: 0 })).toBe(1);
    expect(await posts(429, { maxRetries: 1 }, { retry: "idempotent" })).toBe(2);
  });
  test("retry", async () => {
    expect(await posts(500, { retry: "safe" }, { retry: "idempotent" })).toBe(3);
    expect(await posts(500, { retry: "idempotent" }, { retry: "safe" })).toBe(1);
    expect(await posts(500, { retry: "idempotent" }, { maxRetries: 3 })).toBe(4);
  });
});

describe("the limits themselves are accepted", () => {
  test.each([
    { timeoutMs: 1 },
    { timeoutMs: 2147483647 },
    { maxRetries: 0 },
    { maxRetries: 1000 },
    { maxResponseBytes: 1 },
    { maxResponseBytes: Number.MAX_SAFE_INTEGER },
  ])("%j", (options) => {
    expect(() => new PlantStoreClient(withRest(options))).not.toThrow();
  });
});

describe("the base URL", () => {
  test.each<[baseUrl: string | URL, url: string]>([
    ["https://plants.test", "https://plants.test/plants"],
    ["https://plants.test/", "https://plants.test/plants"],
    ["https://plants.test/v1", "https://plants.test/v1/plants"],
    ["https://plants.test/v1/", "https://plants.test/v1/plants"],
    ["https://plants.test/v1///", "https://plants.test/v1/plants"],
    ["https://plants.test/a/b%20c", "https://plants.test/a/b%20c/plants"],
    ["http://127.0.0.1:4010", "http://127.0.0.1:4010/plants"],
    ["http://[::1]:4010/v1", "http://[::1]:4010/v1/plants"],
    ["HTTPS://PLANTS.TEST:443/V1", "https://plants.test/V1/plants"],
    ["  https://plants.test/v1 ", "https://plants.test/v1/plants"],
    [new URL("https://plants.test/v1/"), "https://plants.test/v1/plants"],
  ])("%s leads to %s", async (baseUrl, url) => {
    const { client, posts } = setup([created()], { baseUrl });
    await client.createPlant(PLANT);
    expect(posts[0]?.url).toBe(url);
  });
  test("may be a URL of another realm, as the one of node:url is under jsdom", async () => {
    const baseUrl = { href: "https://plants.test/v1" } as URL;
    const { client, posts } = setup([created()], { baseUrl });
    await client.createPlant(PLANT);
    expect(posts[0]?.url).toBe("https://plants.test/v1/plants");
  });
  test("is read when the client is made: a URL that changes later does not matter", async () => {
    const baseUrl = new URL("https://plants.test/v1");
    const { client, posts } = setup([created()], { baseUrl });
    baseUrl.pathname = "/v2";
    await client.createPlant(PLANT);
    expect(posts[0]?.url).toBe("https://plants.test/v1/plants");
  });
});

describe("a token over plain http", () => {
  const INSECURE =
    "baseUrl must begin with https://, or others can read the token on the way; in a network that " +
    "you trust, set allowInsecure: true, or set PLANT_STORE_ALLOW_INSECURE=1";
  afterEach(() => vi.unstubAllEnvs());

  test.each([
    "http://plants.test",
    "http://localhost.plants.test",
    "http://notlocalhost",
    "http://localhost..",
    "http://localhost.test",
    "http://127.0.0.1.plants.test",
    "http://128.0.0.1",
    "http://0.0.0.0:4010",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
    "http://[::127.0.0.1]",
    "http://0x80.1",
    "http://10.0.0.7:8080/v1",
  ])("is refused to %s, unless it is allowed", (baseUrl) => {
    expect(configError({ baseUrl, token: "t" })).toMatchObject({ option: "baseUrl", message: INSECURE });
    vi.stubEnv("PLANT_STORE_ALLOW_INSECURE", "1");
    expect(configError({ baseUrl, token: "t", allowInsecure: false })).toMatchObject({ message: INSECURE });
    expect(() => new PlantStoreClient({ baseUrl, token: "t" })).not.toThrow();
    vi.stubEnv("PLANT_STORE_ALLOW_INSECURE", "true");
    expect(configError({ baseUrl, token: "t" })).toMatchObject({ message: INSECURE });
    expect(() => new PlantStoreClient({ baseUrl, token: "t", allowInsecure: true })).not.toThrow();
  });

  test.each([
    "http://localhost:4010",
    "http://localhost.",
    "http://shop.localhost",
    "http://shop.localhost.:4010",
    "http://127.0.0.1",
    "http://127.8.9.1:81",
    "http://127.1",
    "http://0x7f.0.0.1",
    "http://0177.0.0.1",
    "http://2130706433",
    "http://127.10.200.254",
    "http://[::1]:9000",
    "http://[0:0:0:0:0:0:0:1]",
  ])("is sent to %s, which is this machine", (baseUrl) => {
    expect(() => new PlantStoreClient({ baseUrl, token: "t" })).not.toThrow();
  });

  test("is refused also if the URL comes from the environment", () => {
    vi.stubEnv("PLANT_STORE_BASE_URL", "http://plants.test");
    expect(configError({ token: "t" })).toMatchObject({ option: "baseUrl", message: INSECURE });
  });
});

describe("a port that fetch blocks", () => {
  test.each(["https://plants.test:6000", "http://127.0.0.1:1", "http://localhost:10080/v1"])(
    "is refused at once: %s",
    (baseUrl) => {
      const message = `baseUrl has port ${new URL(baseUrl).port}, which fetch blocks: use another`;
      expect(configError({ baseUrl, token: "t" })).toMatchObject({ option: "baseUrl", message });
    },
  );
  test("is taken with a fetch of the application's own, which may reach it", () => {
    const fetch = async () => created();
    expect(() => new PlantStoreClient({ baseUrl: "https://plants.test:6000", token: "t", fetch })).not.toThrow();
  });
  test("is the same as the runtime's own", async () => {
    const blocked = Array.from({ length: 12_000 }, (_, port) => port).filter((port) => {
      return portProblem(`https://plants.test:${port}`) !== undefined;
    });
    const reasons = await Promise.all(
      blocked.map((port) => globalThis.fetch(`http://127.0.0.1:${port}`).catch((error: Error) => `${error.cause}`)),
    );
    expect(new Set(reasons)).toEqual(new Set(["Error: bad port"]));
    // As many as https://fetch.spec.whatwg.org/#port-blocking lists, except port 0.
    expect(blocked).toHaveLength(82);
  });
});

test.each(["Headers", "TextDecoder"])("without a global %s a call fails, and nothing was sent", async (name) => {
  const mocked = setup([created()]);
  const global = Object.getOwnPropertyDescriptor(globalThis, name) as PropertyDescriptor;
  Reflect.deleteProperty(globalThis, name);
  const failed = await failure(mocked).finally(() => Object.defineProperty(globalThis, name, global));
  expect(failed).toMatchObject({ kind: "config", option: "fetch", outcome: "not-sent" });
  expect(failed.message).toBe(`fetch needs the global ${name}: load a polyfill, or in Jest use jest-fixed-jsdom`);
  expect(mocked.posts).toEqual([]);
});

test("without any fetch a call fails, and nothing was sent", async () => {
  const mocked = setup([], { fetch: undefined });
  vi.stubGlobal("fetch", undefined);
  try {
    const message = "fetch is missing: pass it, because this runtime has no global fetch";
    expect(await failure(mocked)).toMatchObject({ kind: "config", option: "fetch", message, outcome: "not-sent" });
  } finally {
    vi.unstubAllGlobals();
  }
});

test("a fetch of the application's own is enough in a runtime without one", async () => {
  const { client } = setup([created()]);
  vi.stubGlobal("fetch", undefined);
  try {
    expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true });
  } finally {
    vi.unstubAllGlobals();
  }
});

describe("headers", () => {
  test("of the client and of the call are sent, and those of the call override, in any case", async () => {
    const { client, posts } = setup([created()], { headers: { "X-Client": "1", "X-Both": "client" } });
    await client.createPlant(PLANT, { headers: { "x-both": "call", "X-Call": "Gr\u00fc\u00dfe" } });
    const { headers } = posts[0] ?? {};
    expect(headers?.get("x-client")).toBe("1");
    expect(headers?.get("x-both")).toBe("call");
    expect(headers?.get("x-call")).toBe("Gr\u00fc\u00dfe");
    expect(headers?.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(headers?.get("content-type")).toBe("application/json");
  });
  test("of one call do not reach the next", async () => {
    const { client, posts } = setup([created(), created()]);
    await client.createPlant(PLANT, { headers: { "X-Call": "1" } });
    await client.createPlant(PLANT);
    expect(posts[1]?.headers.has("x-call")).toBe(false);
  });
  test("may replace the User-Agent", async () => {
    const { client, posts } = setup([created(), created()], { headers: { "USER-AGENT": "app/1" } });
    await client.createPlant(PLANT);
    await client.createPlant(PLANT, { headers: { "User-Agent": "app/2" } });
    expect(posts.map(({ headers }) => headers.get("user-agent"))).toEqual(["app/1", "app/2"]);
  });
  test("are read when the client is made, and the caller's object is left as it was", async () => {
    const headers = Object.freeze({ "X-Client": "1" });
    const { client, posts } = setup([created()], { headers });
    await client.createPlant(PLANT);
    expect(headers).toEqual({ "X-Client": "1" });
    expect(posts[0]?.headers.get("x-client")).toBe("1");
  });
  test("from an object of another realm or without a prototype are read too", async () => {
    const bare = Object.assign(Object.create(null), { "X-A": "1" });
    const { client, posts } = setup([created()], { headers: bare });
    await client.createPlant(PLANT);
    expect(posts[0]?.headers.get("x-a")).toBe("1");
  });
});

test("options that a polluted Object.prototype has do not count", async () => {
  const { client, posts } = setup([created(), created()]);
  const polluted = {
    ...{ timeoutMs: Number.NaN, headers: { authorization: "evil" }, maxRetries: -1 },
    ...{ signal: "evil", error: "evil" },
    // Options of openapi-fetch, and of fetch.
    ...{ baseUrl: "https://evil.test", parseAs: "text", params: { query: { evil: 1 }, path: { evil: 1 } } },
    ...{ method: "DELETE", body: "evil", redirect: "follow", middleware: ["evil"] },
  };
  Object.assign(Object.prototype, polluted);
  try {
    expect(await client.createPlant(PLANT, {})).toEqual({ name: "Monstera", tag: "indoor" });
    expect(setup([]).client).toBeInstanceOf(PlantStoreClient);
  } finally {
    for (const name of Object.keys(polluted)) delete (Object.prototype as Record<string, unknown>)[name];
  }
  expect(posts[0]?.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
  expect(posts[0]?.url).toBe(URL_OF_PLANTS);
});

test.each(["x-content-length", "upgrade-insecure-requests"])(
  "the header %s frames no request, and is sent",
  async (name) => {
    const { client, posts } = setup([created()], { headers: { [name]: "1" } });
    await client.createPlant(PLANT);
    expect(posts[0]?.headers.get(name)).toBe("1");
  },
);

import {
  type CreatePlantOptions,
  PlantStoreClient,
  type PlantStoreClientOptions,
  PlantStoreConfigError,
} from "plant-store-client";
import { afterEach, describe, expect, test, vi } from "vitest";
import { portProblem } from "../../src/checks/http/base-url.ts";
import { mustBe } from "../rules-in-words.ts";
import { failure } from "./fixtures/outcome-of.ts";
import { created, refused, reply } from "./fixtures/replies.ts";
import { BASE_URL, never, PLANT, type Step, setup, TOKEN } from "./fixtures/setup.ts";

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

const TIMEOUT = mustBe.integer(1, 2 ** 31 - 1);
const RETRIES = mustBe.integer(0, 1000);
const WAIT = mustBe.integer(0, 2 ** 31 - 1);
const PLAIN = "must be a plain object, such as Object.fromEntries(map); received";
const FRAMING = "is set by the transport that sends the request: leave it out";
const AUTHORIZATION = "would replace the bearer token: use the token option";
const LATIN_1 = "must be Latin-1 characters without line breaks; character";
const VISIBLE = "must be visible ASCII characters without spaces; character";
const URL_RULE = "must be an http or https URL, such as https://plants.example";
const NO_PASSWORD = "must not contain a user name or password";
const NO_QUERY = "must not contain a query or fragment";

/** What neither a client nor a call accepts: each value with the rule that it breaks. */
const wrongOfBoth: Record<string, [value: unknown, rule: string][]> = {
  timeoutMs: [
    ...[0, 2 ** 31, 1.5, Number.NaN, null].map((value): [unknown, string] => [value, `${TIMEOUT} ${value}`]),
    ["1000", `${TIMEOUT} "1000"`],
  ],
  maxRetries: [-1, 1001, 1.5].map((value) => [value, `${RETRIES} ${value}`]),
  retry: [["always", 'must be "safe" or "idempotent", not "always"']],
  onAttempt: [[{}, `${mustBe.callable} an object`]],
  headers: [
    [[], `${PLAIN} an array`],
    [null, `${PLAIN} null`],
    ["X: 1", `${PLAIN} a string`],
    [new Headers({ "X-A": "1" }), `${PLAIN} a Headers`],
    [Promise.resolve({}), `${PLAIN} a promise`],
  ],
  "headers.AUTHORIZATION": [["Basic x", AUTHORIZATION]],
  "headers.content-type": [["text/plain", "is always application/json: leave it out"]],
  ...Object.fromEntries(
    ["Content-Length", "transfer-encoding", "Connection", "Keep-Alive", "expect", "Upgrade"].map((name) => [
      `headers.${name}`,
      [["x", FRAMING]],
    ]),
  ),
  ...Object.fromEntries(
    ["", "authorization ", "x y", "x\n", "ü"].map((name) => [`headers.${name}`, [["x", "is not a valid header name"]]]),
  ),
  "headers.X-A": [
    [1, `${mustBe.string} a number`],
    ["a\r\nAuthorization: x", `${LATIN_1} 2 is U+000D`],
    ["🌱", `${LATIN_1} 1 is "🌱"`],
    ["\0", `${LATIN_1} 1 is U+0000`],
    ["a\u2060b", `${LATIN_1} 2 is U+2060`],
  ],
};

const wrongOfClient: Record<string, [value: unknown, rule: string][]> = {
  fetch: [["fetch", `${mustBe.callable} "fetch"`]],
  allowInsecure: [["true", `${mustBe.boolean} "true"`]],
  clock: [[Date, `${mustBe.clock} a function`]],
  maxResponseBytes: [[0, `${mustBe.integer(1, Number.MAX_SAFE_INTEGER)} 0`]],
  backoff: [[0, `${mustBe.object} 0`]],
  "backoff.initialMs": [[-1, `${WAIT} -1`]],
  "backoff.maxMs": [[0.5, `${WAIT} 0.5`]],
  token: [
    ["", "must not be empty"],
    ["Bearer abc", 'must be the token alone, without "Bearer "'],
    ...['"abc"', "'abc'", "`abc`"].map((quoted): [unknown, string] => [
      quoted,
      "must be the token alone, without quotes",
    ]),
    // biome-ignore lint/suspicious/noTemplateCurlyInString: that is what is pasted.
    ...["${TOKEN}", "$TOKEN", "{{ token }}", "<your-token>"].map((placeholder): [unknown, string] => [
      placeholder,
      "is a placeholder: put the token in its place",
    ]),
    ...["undefined", "null"].map((name): [unknown, string] => [name, "is the name of a missing value: set the token"]),
    ["abc\u200b", `${VISIBLE} 4 is U+200B`],
    ["\ufeffabc", `${VISIBLE} 1 is U+FEFF`],
    ["abc\n", `${VISIBLE} 4 is U+000A`],
    ["a b", `${VISIBLE} 2 is " "`],
    [42, `${mustBe.string} a number`],
    [null, `${mustBe.string} null`],
  ],
  baseUrl: [
    ...["", "/v1", "plants.test", "ftp://plants.test", "xhttps://plants.test", "localhost:4010"].map(
      (value): [unknown, string] => [value, `${URL_RULE}, not "${value}"`],
    ),
    // The value may be a password, or a token that was passed as the URL.
    ["user:s3cret@plants.test", URL_RULE],
    ["eyJhbGciOiJub25lIn0.e30.", URL_RULE],
    ["https://user@plants.test", NO_PASSWORD],
    ["https://:pass@plants.test", NO_PASSWORD],
    ["https://plants.test?key=1", NO_QUERY],
    ["https://plants.test#top", NO_QUERY],
    [7, "must be a string or a URL, not a number"],
    [{ href: 7 }, "must be a string or a URL, not an object"],
    [/plants/, "must be a string or a URL, not a RegExp"],
  ],
};

const wrongOfCall: Record<string, [value: unknown, rule: string][]> = {
  signal: [
    [{}, `${mustBe.signal} an object`],
    [{ aborted: false }, `${mustBe.signal} an object`],
    [new EventTarget(), `${mustBe.signal} an EventTarget`],
    [new AbortController(), `${mustBe.signal} an AbortController`],
    [null, `${mustBe.signal} null`],
  ],
};

test.each<[what: string, options: unknown, kind: string]>([
  ["a signal", AbortSignal.abort(), "an AbortSignal"],
  ["a Map", new Map([["timeoutMs", 1]]), "a Map"],
  ["a list", [{ timeoutMs: 1 }], "an array"],
  ["a promise", Promise.resolve({}), "a promise: await it first"],
])("%s in place of options is refused, and named", async (_, options, kind) => {
  const message = `options ${mustBe.object} ${kind}`;
  expect(configError(options)).toMatchObject({ option: "options", message });
  const mocked = setup([]);
  expect(await failure(mocked, options as never)).toMatchObject({ kind: "config", message, outcome: "not-sent" });
  expect(mocked.posts).toHaveLength(0);
});

const rowsOf = (wrong: Record<string, [value: unknown, rule: string][]>) =>
  Object.entries(wrong).flatMap(([option, rules]) => rules.map(([value, rule]) => [option, value, rule] as const));

/** Options with one value, such as that of `backoff.maxMs`. */
function withOption(option: string, value: unknown): object {
  const [, outer = "", inner] = /^(\w+)(?:\.(.*))?$/s.exec(option) ?? [];
  return { [outer]: inner === undefined ? value : { [inner]: value } };
}

test.each([...rowsOf(wrongOfBoth), ...rowsOf(wrongOfClient)])(
  "a client refuses %s of %j: %s",
  (option, value, rule) => {
    const error = configError(withRest(withOption(option, value)));
    expect(error).toMatchObject({ option, message: `${option} ${rule}`, outcome: "not-sent", attempts: [] });
  },
);

test.each([...rowsOf(wrongOfBoth), ...rowsOf(wrongOfCall)])(
  "a call refuses %s of %j: %s",
  async (option, value, rule) => {
    const mocked = setup([]);
    const error = await failure(mocked, withOption(option, value) as never);
    expect(error).toMatchObject({ kind: "config", option, message: `${option} ${rule}`, outcome: "not-sent" });
    expect(mocked.posts).toHaveLength(0);
  },
);

const OF_CALL = "timeoutMs, maxRetries, retry, headers, onAttempt";
const OF_CLIENT = `baseUrl, token, ${OF_CALL}, fetch, backoff, maxResponseBytes, allowInsecure, clock`;

test.each(["timeout", "toString", "signal", "__proto__"])("an unknown option of a client is refused: %s", (name) => {
  const options = JSON.parse(`{"${name}":1}`);
  expect(configError(options)).toMatchObject({
    ...{ option: name, message: `unknown option "${name}"; known options: ${OF_CLIENT}` },
  });
});

test.each(["token", "idempotencyKey"])("an unknown option of a call is refused: %s", async (name) => {
  const message = `unknown option "${name}"; known options: ${OF_CALL}, signal`;
  expect(await failure(setup([]), { [name]: undefined })).toMatchObject({ kind: "config", option: name, message });
});

test("options may be inherited and have getters, as those of a configuration service: each is read once", async () => {
  let reads = 0;
  class Settings {
    get baseUrl() {
      return `${BASE_URL}/${++reads}`;
    }
    get token() {
      return TOKEN;
    }
  }
  class Config extends Settings {
    fetch = async (url: string) => Response.json({ name: url });
  }
  const client = new PlantStoreClient(new Config());
  expect(await client.createPlant(PLANT, new Config() as never).catch((error) => error.option)).toBe("fetch");
  expect(await client.createPlant(PLANT)).toEqual({ name: `${BASE_URL}/1/plants` });
  const inherited: CreatePlantOptions = Object.create({ signal: AbortSignal.abort("stop") });
  expect(await client.tryCreatePlant(PLANT, inherited)).toMatchObject({ error: { kind: "aborted", cause: "stop" } });
});

test("undefined is absent", async () => {
  const names = ["timeoutMs", "maxRetries", "retry", "headers", "onAttempt"];
  const absent = (more: string[]) => Object.fromEntries([...names, ...more].map((name) => [name, undefined]));
  const { client } = setup([created()], absent(["maxResponseBytes", "allowInsecure", "backoff"]));
  expect(await client.tryCreatePlant(PLANT, absent(["signal"]))).toMatchObject({ ok: true });
});

test("the defaults are what the documentation says", async () => {
  const absent = { timeoutMs: undefined, maxRetries: undefined, retry: undefined, maxResponseBytes: undefined };
  const byDefault = (steps: Step[], more?: PlantStoreClientOptions) =>
    setup(steps, { ...absent, backoff: undefined, ...more });
  expect(await failure(byDefault([() => never()]))).toMatchObject({ timeoutMs: 30_000 });
  const limited = () => refused(429);
  const waits = async (more?: PlantStoreClientOptions) => {
    const mocked = byDefault(Array(9).fill(limited), more);
    mocked.clock.randoms = [0.999];
    return (await failure(mocked)).attempts.map(({ delayMs }) => delayMs);
  };
  expect(await waits()).toEqual([499.5, 999, undefined]);
  expect(await waits({ maxRetries: 6, timeoutMs: 1_000_000 })).toEqual([499.5, 999, 1998, 3996, 7992, 7992, undefined]);
  expect((await failure(byDefault([refused(500)]))).attempts).toHaveLength(1);
  const plantOf = (bytes: number) => reply(200, { name: "x".repeat(bytes - 11) });
  const { client } = byDefault([plantOf(1_048_576), plantOf(1_048_577)]);
  expect(await client.tryCreatePlant(PLANT)).toMatchObject({ ok: true });
  expect(await client.tryCreatePlant(PLANT)).toMatchObject({ error: { reason: "too-large" } });
});

test.each<[status: number, ofClient: PlantStoreClientOptions, ofCall: CreatePlantOptions, posts: number]>([
  [429, { maxRetries: 1 }, { maxRetries: 3 }, 4],
  [429, { maxRetries: 1 }, { maxRetries: 0 }, 1],
  [429, { maxRetries: 1 }, { retry: "idempotent" }, 2],
  [500, { retry: "safe" }, { retry: "idempotent" }, 3],
  [500, { retry: "idempotent" }, { retry: "safe" }, 1],
  [500, { retry: "idempotent" }, { maxRetries: 3 }, 4],
])("after %i, with %o of the client and %o of the call, which overrides it, %i POSTs are sent", async (...row) => {
  const [status, ofClient, ofCall, count] = row;
  const mocked = setup(
    Array.from({ length: 5 }, () => () => refused(status)),
    ofClient,
  );
  await failure(mocked, ofCall);
  expect(mocked.posts).toHaveLength(count);
});

test("timeoutMs of a call overrides the client's", async () => {
  expect(await failure(setup([() => never()], { timeoutMs: 40 }), { timeoutMs: 7 })).toMatchObject({ timeoutMs: 7 });
});

test.each([
  { timeoutMs: 1 },
  { timeoutMs: 2147483647 },
  { maxRetries: 0 },
  { maxRetries: 1000 },
  { maxResponseBytes: 1 },
  { maxResponseBytes: Number.MAX_SAFE_INTEGER },
])("the limit itself is accepted: %j", (options) => {
  expect(() => new PlantStoreClient(withRest(options))).not.toThrow();
});

describe("the base URL", () => {
  test.each<[baseUrl: string | URL, url: string]>([
    ["https://plants.test", "https://plants.test/plants"],
    ["https://plants.test/", "https://plants.test/plants"],
    ["https://plants.test/v1///", "https://plants.test/v1/plants"],
    ["https://plants.test/a/b%20c", "https://plants.test/a/b%20c/plants"],
    ["http://[::1]:4010/v1", "http://[::1]:4010/v1/plants"],
    ["HTTPS://PLANTS.TEST:443/V1", "https://plants.test/V1/plants"],
    ["  https://plants.test/v1 ", "https://plants.test/v1/plants"],
    [new URL("https://plants.test/v1/"), "https://plants.test/v1/plants"],
    // Of another realm, as the URL of node:url is under jsdom.
    [{ href: "https://plants.test/v1" } as URL, "https://plants.test/v1/plants"],
  ])("%s leads to %s", async (baseUrl, url) => {
    const { client, posts } = setup([created()], { baseUrl });
    await client.createPlant(PLANT);
    expect(posts[0]?.url).toBe(url);
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
    "http://127.0.0.1.plants.test",
    "http://128.0.0.1",
    "http://0.0.0.0:4010",
    "http://[::]",
    "http://[::ffff:127.0.0.1]",
  ])("is refused to %s, unless it is allowed", (baseUrl) => {
    expect(configError({ baseUrl, token: "t" })).toMatchObject({ option: "baseUrl", message: INSECURE });
    vi.stubEnv("PLANT_STORE_ALLOW_INSECURE", "1");
    expect(configError({ baseUrl, token: "t", allowInsecure: false })).toMatchObject({ message: INSECURE });
    expect(() => new PlantStoreClient({ baseUrl, token: "t" })).not.toThrow();
    vi.stubEnv("PLANT_STORE_ALLOW_INSECURE", "true");
    vi.stubEnv("PLANT_STORE_BASE_URL", baseUrl);
    const message = INSECURE.replace("baseUrl", "baseUrl (from PLANT_STORE_BASE_URL)");
    expect(configError({ token: "t" })).toMatchObject({ message });
    expect(() => new PlantStoreClient({ baseUrl, token: "t", allowInsecure: true })).not.toThrow();
  });

  test.each([
    "http://localhost:4010",
    "http://localhost.",
    "http://shop.localhost",
    "http://127.8.9.1:81",
    "http://127.1",
    "http://[::1]:9000",
  ])("is sent to %s, which is this machine", (baseUrl) => {
    expect(() => new PlantStoreClient({ baseUrl, token: "t" })).not.toThrow();
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

describe("a global that the runtime lacks", () => {
  const POLYFILL = "load a polyfill, or in Jest use jest-fixed-jsdom";
  /** A call without some globals. */
  async function callWithout(names: string[], options: PlantStoreClientOptions = {}) {
    const globals = names.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const);
    const mocked = setup([], options);
    for (const name of names) Reflect.deleteProperty(globalThis, name);
    try {
      return await mocked.client.tryCreatePlant(PLANT);
    } finally {
      for (const [name, global] of globals) Object.defineProperty(globalThis, name, global as PropertyDescriptor);
    }
  }
  const own = async () => ({ status: 200, headers: new Headers(), text: async () => '{"name":"M"}' }) as Response;

  test.each<[missing: string, options: PlantStoreClientOptions, message: string]>([
    ["fetch", { fetch: undefined }, "fetch is missing: pass it, because this runtime has no global fetch"],
    ["Headers", { fetch: undefined }, `fetch needs the global TextDecoder: ${POLYFILL}`],
    ["TextDecoder", { fetch: undefined }, `fetch needs the global TextDecoder: ${POLYFILL}`],
    ["Headers", { fetch: own }, `fetch needs the global Headers: ${POLYFILL}`],
  ])("fails a call before anything is sent: %s with %o", async (missing, options, message) => {
    expect(await callWithout([missing], options)).toMatchObject({
      error: { kind: "config", option: "fetch", message, outcome: "not-sent" },
    });
  });

  test("does not if a fetch is passed whose responses have text()", async () => {
    expect(await callWithout(["fetch", "TextDecoder"], { fetch: own })).toMatchObject({ plant: { name: "M" } });
    const streaming = async () => ({ ...(await own()), body: new ReadableStream() }) as Response;
    expect(await callWithout(["TextDecoder"], { fetch: streaming })).toMatchObject({ plant: { name: "M" } });
  });
});

describe("headers", () => {
  test("of the client and of the call are sent, and those of the call override, in any case", async () => {
    const { client, posts } = setup([created(), created()], { headers: { "X-Client": "1", "X-Both": "client" } });
    await client.createPlant(PLANT, { headers: { "x-both": "call", "X-Call": "Gr\u00fc\u00dfe" } });
    const sent = { "x-client": "1", "content-type": "application/json", authorization: `Bearer ${TOKEN}` };
    const ofCall = { ...sent, "x-both": "call", "x-call": "Gr\u00fc\u00dfe" };
    expect(Object.fromEntries(posts[0]?.headers ?? [])).toMatchObject(ofCall);
    await client.createPlant(PLANT);
    expect(posts[1]?.headers.has("x-call")).toBe(false);
  });
  test("that are undefined are absent, and leave the client's in place", async () => {
    const { client, posts } = setup([created()], { headers: { "X-A": "1", "X-B": undefined } });
    await client.createPlant(PLANT, { headers: { "X-A": undefined } });
    expect(posts[0]?.headers.get("x-a")).toBe("1");
    expect(posts[0]?.headers.has("x-b")).toBe(false);
  });
  test.each(["Accept", "USER-AGENT"])("may replace the client's own %s", async (name) => {
    const { client, posts } = setup([created(), created()], { headers: { [name]: "app/1" } });
    await client.createPlant(PLANT);
    await client.createPlant(PLANT, { headers: { [name.toLowerCase()]: "app/2" } });
    expect(posts.map(({ headers }) => headers.get(name))).toEqual(["app/1", "app/2"]);
  });
});

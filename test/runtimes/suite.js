// What the built package must do on every runtime. Plain JavaScript that imports nothing but the package: Node, Bun,
// Deno, workerd and a browser all run this very file.
import { createPlants, PlantStoreClient } from "plant-store-client";
import { createMockPlantStore } from "plant-store-client/mock";

const TOKEN = "a-token-that-nobody-may-see";
const FERN = { id: 7, name: "Fern" };

/**
 * @typedef {object} Setting
 * @property {string} runtime - Which one this is, e.g. `node-22`.
 * @property {Record<"service" | "untrusted" | "tlsless" | "refusing" | "resetting" | "nameless", string>} addresses
 * @property {object} traits - What the platform can do; see runtimes.mjs.
 * @property {object} [options] - Options for every client, e.g. another `fetch`.
 * @property {(value: unknown) => string} [inspect] - What the runtime prints of a value.
 */

/**
 * Runs the cases, one after the other.
 *
 * @param {Setting} setting
 * @returns {Promise<{ name: string, problem?: string }[]>} Each case, with what is wrong where something is.
 */
export async function runSuite(setting) {
  const random = Math.random;
  Math.random = () => 0; // no jitter: retries follow at once
  const results = [];
  for (const [index, name] of Object.keys(cases).entries()) {
    try {
      await cases[name](createStage(setting, `${setting.runtime}-${index}`));
      results.push({ name });
    } catch (error) {
      results.push({ name, problem: `${error?.stack ?? error}` });
    }
  }
  Math.random = random;
  return results;
}

/** What a case works with: a client of a service that behaves in some way, and what that service saw. */
function createStage({ addresses, options, ...setting }, key) {
  const connect = (baseUrl, more) => new PlantStoreClient({ baseUrl, token: TOKEN, ...options, ...more });
  const seen = async () => (await fetch(`${addresses.service}/journal/${key}`)).json();
  return {
    ...setting,
    addresses,
    connect,
    client: (behavior, more) => connect(`${addresses.service}/${behavior}/${key}`, more),
    baseUrl: (behavior) => `${addresses.service}/${behavior}/${key}`,
    posts: async () => (await seen()).filter(({ method }) => method === "POST"),
    seen,
  };
}

/** Connects to an address where nothing can be sent; the runtime may report that or not. */
async function checkProof({ connect, addresses, traits }, place, trait, attempts) {
  const { error } = await connect(addresses[place]).tryCreatePlant(FERN);
  equal(told(error), traits[trait] ? ["connection", "not-sent", attempts] : ["connection", "unknown", 1]);
}

const cases = {
  "creates a plant": async ({ client, posts }) => {
    const plant = await client("create").createPlant({ ...FERN, tag: "indoor", owner: "not sent" });
    equal(plant, { name: "Fern", tag: "indoor" });
    const [post, ...more] = await posts();
    equal(more, []);
    equal(post.body, '{"id":7,"name":"Fern","tag":"indoor"}');
    equal(post.headers.authorization, `Bearer ${TOKEN}`);
    equal(post.headers["content-type"], "application/json");
  },

  "sends an int64 digit for digit": async ({ client, posts }) => {
    for (const id of [2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n]) {
      await client("create").createPlant({ id, name: "Fern" });
    }
    const ids = (await posts()).map(({ body }) => /"id":(-?\d+),/.exec(body)[1]);
    equal(ids, ["9223372036854775807", "-9223372036854775808", "9007199254740993"]);
  },

  "sends and reads UTF-8": async ({ client, posts }) => {
    const name = "Łopian 🌱 \u2028";
    equal(await client("create").createPlant({ id: 1, name }), { name });
    equal((await posts())[0].body, `{"id":1,"name":"${name}"}`);
  },

  "reads a header beyond ASCII, as the platform reads them": async ({ client, traits }) => {
    const { headers } = await client("place").tryCreatePlant(FERN);
    equal(headers.get("x-place"), traits.readsHeadersAsUtf8 ? "Beet 🌱" : "Beet \xf0\x9f\x8c\xb1");
  },

  "reads no more than maxResponseBytes": async ({ client }) => {
    const { error } = await client("large").tryCreatePlant(FERN);
    equal([...told(error), error.reason], ["response", "unknown", 1, "too-large"]);
  },

  "sends again after a 429": async ({ client, posts }) => {
    const { ok, attempts } = await client("busy").tryCreatePlant(FERN);
    equal([ok, attempts.length, (await posts()).length], [true, 2, 2]);
  },

  "sends a POST once after 421, if the platform does not repeat it": async ({ client, posts, traits }) => {
    const { error } = await client("misdirected").tryCreatePlant(FERN);
    equal([...told(error), error.status], ["response", "rejected", 1, 421]);
    equal((await posts()).length, traits.postsAgainAfter421 ? 2 : 1);
  },

  "follows no redirect": async ({ client, seen, traits }) => {
    const { error } = await client("redirect").tryCreatePlant(FERN);
    equal([...told(error), error.reason], ["response", "unknown", 1, "redirect"]);
    equal(error.status, traits.hidesRedirects ? 0 : 307);
    const paths = (await seen()).filter(({ method }) => method !== "OPTIONS").map(({ path }) => path.split("/")[1]);
    equal(paths, ["redirect"]);
  },

  "ends at the deadline, before the reply": async ({ client, posts }) => {
    const { error } = await client("stall", { timeoutMs: 3000 }).tryCreatePlant(FERN);
    equal(told(error), ["timeout", "unknown", 1]);
    equal((await posts()).length, 1);
  },

  "ends at the deadline, within the body": async ({ client }) => {
    const { error, attempts } = await client("stallBody", { timeoutMs: 3000 }).tryCreatePlant(FERN);
    equal([...told(error), attempts[0].status], ["timeout", "unknown", 1, 200]);
  },

  "ends at an abort, before the reply": async ({ client, posts }) => {
    const controller = new AbortController();
    const reason = { mine: true };
    const call = client("stall").createPlant(FERN, { signal: controller.signal });
    const rejection = call.catch((error) => error);
    while ((await posts()).length === 0);
    controller.abort(reason);
    const error = await rejection;
    equal([...told(error), error.name], ["aborted", "unknown", 1, "AbortError"]);
    equal(error.cause === reason, true);
    equal((await posts()).length, 1);
  },

  "ends at an abort, within the body": async ({ client, options }) => {
    const controller = new AbortController();
    const send = async (url, init) => {
      const response = await (options?.fetch ?? fetch)(url, init);
      setTimeout(() => controller.abort(), 0);
      return response;
    };
    const call = client("stallBody", { fetch: send }).tryCreatePlant(FERN, { signal: controller.signal });
    equal(told((await call).error), ["aborted", "unknown", 1]);
  },

  "proves that a refused connection sent nothing, if the runtime reports it": async (stage) => {
    await checkProof(stage, "refusing", "provesRefusal", 3);
  },

  "proves that a name without an address sent nothing, if the runtime reports it": async (stage) => {
    await checkProof(stage, "nameless", "provesNameFailure", 3);
  },

  "proves that an untrusted certificate received nothing, if the runtime reports it": async (stage) => {
    await checkProof(stage, "untrusted", "provesTlsFailure", 1);
  },

  "takes no failure of another request, from a wrapper of the global fetch, for a proof": async ({
    client,
    addresses,
    posts,
  }) => {
    const { fetch } = globalThis;
    globalThis.fetch = async (url, init) => {
      const response = await fetch(url, init);
      await fetch(addresses.refusing, { method: "POST" });
      return response;
    };
    try {
      const { error } = await client("create", { fetch: undefined }).tryCreatePlant(FERN);
      equal(told(error), ["connection", "unknown", 1]);
    } finally {
      globalThis.fetch = fetch;
    }
    equal((await posts()).length, 1);
  },

  "proves that a first TLS handshake which is reset sent nothing, if the runtime reports it": async ({
    client,
    connect,
    addresses,
    traits,
  }) => {
    // Requests to another origin change nothing.
    for (const id of [1, 2]) await client("create").createPlant({ id, name: "Fern" });
    const { error } = await connect(addresses.resetting).tryCreatePlant(FERN);
    equal(told(error), traits.provesHandshakeReset ? ["connection", "not-sent", 3] : ["connection", "unknown", 1]);
  },

  "proves that a server without TLS received nothing, if the runtime reports it": async ({
    connect,
    addresses,
    traits,
  }) => {
    const { error } = await connect(addresses.tlsless).tryCreatePlant(FERN);
    equal([error.kind, error.outcome], ["connection", traits.provesMissingTls ? "not-sent" : "unknown"]);
  },

  "takes no reset for a proof": async ({ client, posts, traits }) => {
    const { error } = await client("reset").tryCreatePlant(FERN);
    equal(told(error), ["connection", "unknown", 1]);
    equal((await posts()).length === 1, !traits.postsAgainByItself);
  },

  "takes no half body for a plant": async ({ client, posts }) => {
    const { error } = await client("truncate").tryCreatePlant(FERN);
    equal(told(error), ["connection", "unknown", 1]);
    equal((await posts()).length, 1);
  },

  "sends one POST for one call, on a reused connection that closes": async ({ client, posts, traits }) => {
    const reused = client("closeSecond");
    await reused.createPlant({ id: 1, name: "Fern" });
    const { error } = await reused.tryCreatePlant({ id: 2, name: "Fern" });
    equal(told(error), ["connection", "unknown", 1]);
    const second = (await posts()).filter(({ body }) => body.includes('"id":2'));
    equal(second.length === 1, !traits.postsAgainByItself);
  },

  "names itself where the platform lets it": async ({ client, seen, traits }) => {
    await client("create").createPlant(FERN);
    const requests = await seen();
    const { headers } = requests.find(({ method }) => method === "POST");
    equal(/^plant-store-client\/\d/.test(headers["user-agent"] ?? ""), traits.namesItself);
    const preflight = requests.find(({ method }) => method === "OPTIONS");
    if (preflight) equal(preflight.headers["access-control-request-headers"], "authorization,content-type");
  },

  "reads the environment where there is one": async ({ traits, options, baseUrl, posts }) => {
    if (!traits.hasEnvironment) {
      const error = thrown(() => new PlantStoreClient({ token: TOKEN }));
      equal([error.kind, error.option], ["config", "baseUrl"]);
      return;
    }
    Object.assign(process.env, { PLANT_STORE_BASE_URL: baseUrl("create"), PLANT_STORE_TOKEN: TOKEN });
    await new PlantStoreClient(options).createPlant(FERN);
    delete process.env.PLANT_STORE_BASE_URL;
    delete process.env.PLANT_STORE_TOKEN;
    equal((await posts())[0].headers.authorization, `Bearer ${TOKEN}`);
  },

  "shows no token": async ({ client, addresses, connect, inspect }) => {
    const shown = [];
    for (const each of [client("error"), client("html"), connect(addresses.refusing)]) {
      const { error } = await each.tryCreatePlant(FERN, { maxRetries: 0 });
      for (const value of [each, error]) {
        shown.push(`${value}`, JSON.stringify(value), inspect ? inspect(value) : "");
        shown.push(...everyText(value));
      }
    }
    equal(
      shown.filter((text) => text.includes(TOKEN)),
      [],
    );
  },

  "creates many": async ({ client, posts }) => {
    const plants = Array.from({ length: 20 }, (_, id) => ({ id, name: `Fern ${id}` }));
    const created = [];
    for await (const { ok, input } of createPlants(client("create"), plants, { concurrency: 4 })) {
      if (ok) created.push(input.id);
    }
    equal(
      created.sort((a, b) => a - b),
      plants.map(({ id }) => id),
    );
    equal((await posts()).length, 20);
  },

  "works with the mock in memory": async () => {
    const mock = createMockPlantStore();
    const client = new PlantStoreClient(mock.clientOptions);
    equal(await client.createPlant({ id: 2n ** 63n - 1n, name: "Fern" }), { name: "Fern" });
    equal(mock.plants.get(2n ** 63n - 1n).name, "Fern");
  },
};

function told({ kind, outcome, attempts }) {
  return [kind, outcome, attempts.length];
}

function thrown(run) {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("It did not throw");
}

/** Every string that can be reached from a value by its own properties. */
function everyText(value, visited = new Set()) {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || visited.has(value)) return [];
  visited.add(value);
  const entries = value instanceof Headers ? [...value].flat() : [];
  return [...entries, ...Reflect.ownKeys(value).map((key) => value[key])].flatMap((each) => everyText(each, visited));
}

function equal(actual, expected) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

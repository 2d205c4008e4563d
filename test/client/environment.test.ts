import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PlantStoreClient } from "plant-store-client";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { created } from "./fixtures/replies.ts";
import { PLANT, scriptedFetch, setup } from "./fixtures/setup.ts";

beforeEach(() => {
  vi.stubEnv("PLANT_STORE_BASE_URL", undefined);
  vi.stubEnv("PLANT_STORE_TOKEN", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

test("what is missing is named, with the way out", () => {
  expect(() => new PlantStoreClient()).toThrow("token is missing: pass it, or set PLANT_STORE_TOKEN");
  expect(() => new PlantStoreClient({ token: undefined, baseUrl: undefined })).toThrow("token is missing");
  expect(() => new PlantStoreClient({ token: "t" })).toThrow(
    "baseUrl is missing: pass it, or set PLANT_STORE_BASE_URL",
  );
});

test("the environment fills in, and an option goes before it", async () => {
  vi.stubEnv("PLANT_STORE_BASE_URL", "https://env.test/v2/");
  vi.stubEnv("PLANT_STORE_TOKEN", "from-env");
  const { fetch, posts } = scriptedFetch(created(), created());
  await new PlantStoreClient({ fetch }).createPlant(PLANT);
  await new PlantStoreClient({ fetch, token: "own", baseUrl: "https://own.test" }).createPlant(PLANT);
  expect(posts.map(({ url, headers }) => `${url} ${headers.get("authorization")}`)).toEqual([
    "https://env.test/v2/plants Bearer from-env",
    "https://own.test/plants Bearer own",
  ]);
});

test("an empty variable is absent", () => {
  vi.stubEnv("PLANT_STORE_TOKEN", "");
  expect(() => new PlantStoreClient({ baseUrl: "https://plants.test" })).toThrow("token is missing");
});

test("a variable is checked as an option is, and not shown", () => {
  vi.stubEnv("PLANT_STORE_TOKEN", "se cret");
  const make = () => new PlantStoreClient({ baseUrl: "https://plants.test" });
  expect(make).toThrow("token must be visible ASCII characters, with no space and no line break");
  expect(make).not.toThrow("se cret");
});

test("a runtime that gives no leave to read the environment is one without variables", () => {
  const env = new Proxy(
    {},
    {
      get: () => {
        throw new Error("Requires env access");
      },
    },
  );
  vi.stubGlobal("process", { ...process, env });
  expect(() => new PlantStoreClient({ baseUrl: "https://plants.test" })).toThrow(
    "token is missing: pass it, or set PLANT_STORE_TOKEN",
  );
});

test.each([
  ["no process", undefined],
  ["a process without an environment", {}],
])("%s is an environment without variables", (_, value) => {
  vi.stubGlobal("process", value);
  expect(() => new PlantStoreClient({ token: "t" })).toThrow("baseUrl is missing");
});

const BUNDLED = { PLANT_STORE_TOKEN: "from-bundler", PLANT_STORE_BASE_URL: "https://bundler.test" };

/** A page, and a worker: a bundler's `process` has an environment, but claims no runtime. */
const BROWSERS: [name: string, globals: Record<string, unknown>][] = [
  ["a page", { document: {}, navigator: { userAgent: "Mozilla/5.0 (X11) Firefox/142.0" } }],
  ["a page whose browser has a name of its own", { document: {}, navigator: { userAgent: "Kiosk/1" } }],
  ["a page whose bundler's process tells no versions", { document: {}, process: { env: BUNDLED } }],
  ["a page without a process", { document: {}, process: undefined }],
  ["a worker, which has no document", { navigator: { userAgent: "Mozilla/5.0 (X11) Chrome/142.0" } }],
];
describe.each(BROWSERS)("in %s", (_, globals) => {
  beforeEach(() => {
    vi.stubGlobal("process", { env: BUNDLED, versions: {} });
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  });
  test("no environment is read", () => {
    expect(() => new PlantStoreClient({ token: "t" })).toThrow(/^baseUrl is missing: pass it$/);
    expect(() => new PlantStoreClient({ baseUrl: "https://plants.test" })).toThrow(/^token is missing: pass it$/);
  });
  test("no User-Agent is sent, which would cost a preflight more", async () => {
    const { fetch, posts } = scriptedFetch(created());
    await new PlantStoreClient({ baseUrl: "https://plants.test", token: "t", fetch }).createPlant(PLANT);
    expect([...(posts[0]?.headers.keys() ?? [])]).toEqual(["authorization", "content-type"]);
  });
});

test.each([
  ["jsdom on Node", { document: {}, navigator: { userAgent: "Mozilla/5.0 (linux) jsdom/26" } }],
  ["workerd", { process: undefined, navigator: { userAgent: "Cloudflare-Workers" }, WorkerGlobalScope: class {} }],
  ["a runtime whose navigator has no name", { process: undefined, navigator: {} }],
  ["a runtime without a navigator", { process: undefined, navigator: undefined }],
])("on %s a User-Agent is sent", async (_, globals) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const { client, posts } = setup([created()]);
  await client.createPlant(PLANT);
  expect(posts[0]?.headers.get("user-agent")).toMatch(/^plant-store-client\/\d/);
});

test("a process of its own reads its variables", async () => {
  const script = `
    import { PlantStoreClient } from "./src/index.ts";
    const fetch = async (url, init) => Response.json({ name: url + " " + init.headers.authorization });
    console.log((await new PlantStoreClient({ fetch }).createPlant({ id: 1, name: "x" })).name);`;
  const env = { ...process.env, PLANT_STORE_BASE_URL: "https://child.test", PLANT_STORE_TOKEN: "child" };
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const run = promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script], {
    cwd,
    env,
  });
  expect((await run).stdout).toBe("https://child.test/plants Bearer child\n");
}, 90_000);

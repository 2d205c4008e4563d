import { PlantStoreClient } from "plant-store-client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Globals, identifyClient, isBrowser, orSet, readVariable } from "../../src/platform/environment.ts";
import { created } from "./fixtures/replies.ts";
import { PLANT, scriptedFetch } from "./fixtures/setup.ts";

beforeEach(() => {
  vi.stubEnv("PLANT_STORE_BASE_URL", undefined);
  vi.stubEnv("PLANT_STORE_TOKEN", undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

test("what is missing is named, with the way out", () => {
  expect(() => new PlantStoreClient()).toThrow("token is missing: pass it, or set PLANT_STORE_TOKEN");
  expect(() => new PlantStoreClient({ token: undefined, baseUrl: undefined })).toThrow("token is missing");
  expect(() => new PlantStoreClient({ token: "t" })).toThrow(
    "baseUrl is missing: pass it, or set PLANT_STORE_BASE_URL",
  );
});

test("the environment gives the defaults, and an option overrides it", async () => {
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

test("a variable is checked as an option is, and not shown", () => {
  vi.stubEnv("PLANT_STORE_TOKEN", "se cret");
  const make = () => new PlantStoreClient({ baseUrl: "https://plants.test" });
  expect(make).toThrow(
    'token (from PLANT_STORE_TOKEN) must be visible ASCII characters without spaces; character 3 is " "',
  );
  expect(make).not.toThrow("se cret");
  vi.stubEnv("PLANT_STORE_BASE_URL", "plants.test");
  expect(() => new PlantStoreClient({ token: "t" })).toThrow(
    'baseUrl (from PLANT_STORE_BASE_URL) must be an http or https URL, such as https://plants.example, not "plants.test"',
  );
});

/** What other runtimes have in their global scope. The worker's own stays as it is: Vitest needs it. */
const BUNDLED = { PLANT_STORE_TOKEN: "from-bundler" };
const SERVERS: [name: string, globals: Globals][] = [
  ["Node", { process: { env: {}, versions: { node: "20.0.0" } } }],
  [
    "jsdom on Node",
    { process: { versions: { node: "20.0.0" } }, document: {}, navigator: { userAgent: "Mozilla/5.0 (linux) jsdom" } },
  ],
  ["workerd", { navigator: { userAgent: "Cloudflare-Workers" } }],
  ["a runtime whose navigator has no name", { navigator: {} }],
  ["a runtime with nothing of its own", {}],
];
const BROWSERS: [name: string, globals: Globals][] = [
  ["a page", { document: {}, navigator: { userAgent: "Mozilla/5.0 (X11) Firefox/142.0" } }],
  ["a page whose browser has a name of its own", { document: {}, navigator: { userAgent: "Kiosk/1" } }],
  ["a page whose bundler's process tells no versions", { document: {}, process: { env: BUNDLED } }],
  [
    "a worker, which has no document",
    { process: { env: BUNDLED, versions: {} }, navigator: { userAgent: "Mozilla/5.0 (X11) Chrome/142.0" } },
  ],
];

test.each(SERVERS)("%s is not a browser", (_, globals) => {
  expect(isBrowser(globals)).toBe(false);
});

test.each(BROWSERS)("%s is a browser, and no environment is read", (_, globals) => {
  expect(isBrowser(globals)).toBe(true);
  expect(readVariable("token", globals)).toBeUndefined();
  expect(orSet("token", "", globals)).toBe("");
  expect(identifyClient(globals)).toEqual({});
});

test("a variable is read if there is an environment", () => {
  const process = { env: { PLANT_STORE_TOKEN: "mine", PLANT_STORE_BASE_URL: "" } };
  expect(readVariable("token", { process })).toBe("mine");
  expect(readVariable("baseUrl", { process })).toBeUndefined();
  expect(readVariable("token", { process: {} })).toBeUndefined();
  expect(readVariable("token", {})).toBeUndefined();
});

test("a runtime that does not permit reading the environment is one without variables", () => {
  const get = () => {
    throw new Error("Requires env access");
  };
  expect(readVariable("token", { process: { env: new Proxy({}, { get }) } })).toBeUndefined();
});

import { execFile } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { browserPath, FLAGS } from "../browser.ts";
import { browserTest } from "../browser-test.ts";
import { packages as modules } from "../install-packages.ts";
import { redisPath, startRedis } from "../redis.ts";
import { timeLimits, WAIT_MS } from "../time-limits.ts";
import { absolute } from "./blocks.ts";
import {
  claimsOf,
  type Program,
  pages,
  programsOf,
  runnerOf,
  runsInRepository,
  typeErrors,
  writePrograms,
} from "./programs.ts";

// Programs of the guides that need a framework, or a test runner other than Vitest in Node. They use the built package.

const guides = pages().filter((page) => !programsOf(page).every(runsInRepository));
const programs = guides.flatMap(programsOf);
const RUNNERS_GUIDE = "docs/test-runners.md";
const folder = writePrograms(programs, modules);
afterAll(() => folder.remove());

const isConfiguration = (file: string) => /\.config\.c?[jt]s$/.test(file);
const components = programs.filter(({ file }) => file.endsWith(".vue"));

it("exactly these guides need packages of their own", () => {
  const others = ["docs/errors-to-http.md", "docs/front-ends.md", "docs/logging.md", "docs/queues.md"];
  expect(guides.sort()).toEqual([...others, RUNNERS_GUIDE].sort());
});

it("their code compiles", () => {
  const typed = programs.filter(({ file }) => /\.tsx?$/.test(file)).map(folder.pathOf);
  const scripts = components.map((component) => {
    const path = `${folder.pathOf(component)}.ts`;
    writeFileSync(path, component.code.replace(/^[\s\S]*<script setup lang="ts">|<\/script>[\s\S]*$/g, ""));
    return path;
  });
  expect(typeErrors([...typed, ...scripts], absolute("tsconfig.json"))).toEqual([]);
});

describe("programs", () => {
  const isPlain = (program: Program) => runnerOf(program) === undefined && !isConfiguration(program.file);
  const plain = programs.filter((program) => isPlain(program) && !components.includes(program));
  const needsRedis = ({ packages }: Program) => packages.has("bullmq");
  it.each(plain.filter((program) => !needsRedis(program) || redisPath !== undefined))(
    "$page, $file: runs, and its output is that of its comments",
    async (program) => {
      const cwd = dirname(folder.pathOf(program));
      const redis = needsRedis(program) ? await startRedis(cwd) : undefined;
      if (redis !== undefined) process.env.REDIS_URL = redis.url;
      const printed = await node(cwd, "--import", import.meta.resolve("tsx"), program.file);
      redis?.server.kill();
      const claims = claimsOf(program);
      expect(printed.split("\n").filter((line) => claims.includes(line))).toEqual(claims);
    },
  );
});

type Test = (name: string, run: () => Promise<void>) => void;

/** The guide says that virtual time works in each of Jest's environments; jsdom has no MessageChannel. */
const VIRTUAL_TIME = `
  const { expect, test } = require("@jest/globals");
  const { PlantStoreClient } = require("plant-store-client");
  const { createMockPlantStore, faults, simulate } = require("plant-store-client/mock");

  test("waits take virtual time", async () => {
    expect(globalThis.MessageChannel).toBe(undefined);
    const store = createMockPlantStore({ time: "virtual" });
    store.inject(faults.rateLimited(20));
    await new PlantStoreClient(store.clientOptions).createPlant({ id: 1, name: "Aloe" });
    expect(store.clock.now()).toBeGreaterThanOrEqual(20_000);
    const create = async ({ plants, clientOptions }) => {
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
      for (const plant of plants) await new PlantStoreClient(clientOptions).createPlant(plant);
      return { created: plants.map(({ id }) => id) };
    };
    expect(await simulate(create, { runs: 5, faults: [] })).toMatchObject({ created: 30 });
  });
`;

/** Two files of tests share a process, as with `node --test --test-isolation=none`. */
const INTERCEPTED = `
  import { after, before, describe, test } from "node:test";
  import { setupMockPlantStore } from "plant-store-client/mock/node";

  describe("the garden", () => {
    const store = setupMockPlantStore();
    before(() => store.listen());
    after(() => store.close());
    test("sends", () => fetch(store.baseUrl + "/plants"));
  });
`;

/** How the guide to the test runners says that its tests are run, and what the runner then prints. */
const runners: Record<string, { test: Test; run(cwd: string): Promise<string>; prints: RegExp }> = {
  Jest: {
    test: it,
    run: async (cwd) => {
      const jest = join(modules, "jest/bin/jest.js");
      const plain = ["--rootDir", cwd, "--config", "{}"];
      const inMemory = await node(cwd, jest, ...plain, "garden.test.cjs");
      const intercepted = await node(cwd, jest, "--config", "jest.config.cjs", "intercepted.test.cjs");
      writeFileSync(join(cwd, "virtual-time.test.cjs"), VIRTUAL_TIME);
      const jsdom = await node(cwd, jest, ...plain, "--env", "jest-fixed-jsdom", "garden.test.cjs", "virtual-time");
      return inMemory + intercepted + jsdom;
    },
    prints: /Tests: {7}1 passed, 1 total[\s\S]*Tests: {7}1 passed, 1 total[\s\S]*Tests: {7}2 passed, 2 total/,
  },
  "node:test": {
    test: it,
    run: (cwd) => node(cwd, "--test", "garden.test.mjs"),
    prints: /# pass 1\n# fail 0/,
  },
  Playwright: {
    test: browserTest,
    run: (cwd) => {
      withBrowser(cwd, "playwright.config.ts", "{ testMatch: /spec/, use: { launchOptions } }");
      return node(cwd, join(modules, "@playwright/test/cli.js"), "test", "--config", "with-playwright.config.ts");
    },
    prints: /1 passed/,
  },
  "Vitest in a browser": {
    test: browserTest,
    run: async (cwd) => {
      await node(cwd, join(modules, "msw/cli/index.js"), "init", "public", "--no-save");
      const imports =
        'import { playwright } from "@vitest/browser-playwright"; import config from "./vitest.config.ts";';
      const browser = "{ ...config.test.browser, provider: playwright({ launchOptions }) }";
      const tests = `{ ...config.test, ...${JSON.stringify(timeLimits)}, browser: ${browser} }`;
      withBrowser(cwd, "vitest.config.ts", `{ ...config, test: ${tests} }`, imports);
      return node(cwd, join(modules, "vitest/vitest.mjs"), "run", "--config", "with-vitest.config.ts");
    },
    prints: /Tests {2}1 passed \(1\)/,
  },
};

/** Writes a configuration with the browser of this machine; a reader's is installed by Playwright. */
function withBrowser(cwd: string, file: string, config: string, imports = ""): void {
  const options = `const launchOptions = ${JSON.stringify({ executablePath: browserPath, args: FLAGS })};`;
  writeFileSync(join(cwd, `with-${file}`), `${imports}\n${options}\nexport default ${config};\n`);
}

describe(RUNNERS_GUIDE, () => {
  for (const [runner, { test, run, prints }] of Object.entries(runners)) {
    test(`the tests for ${runner} pass`, async () => {
      expect(await run(folder.folderOf(RUNNERS_GUIDE))).toMatch(prints);
    });
  }

  it("two files of node:test whose mocks intercept, with hooks inside describe, pass in one process", async () => {
    const cwd = folder.folderOf(RUNNERS_GUIDE);
    for (const file of ["one.mjs", "two.mjs"]) writeFileSync(join(cwd, file), INTERCEPTED);
    writeFileSync(join(cwd, "both.mjs"), 'import "./one.mjs";\nimport "./two.mjs";\n');
    expect(await node(cwd, "both.mjs")).toMatch(/# pass 2\n# fail 0/);
  });

  it.each(["jsdom", "happy-dom"])("the tests for Vitest pass in the environment %s", async (environment) => {
    const cwd = folder.folderOf(RUNNERS_GUIDE);
    const config = JSON.stringify({ test: { ...timeLimits, environment, include: ["*.test.ts"] } });
    writeFileSync(join(cwd, `${environment}.config.js`), `export default ${config};\n`);
    const printed = await node(cwd, join(modules, "vitest/vitest.mjs"), "run", "--config", `${environment}.config.js`);
    expect(printed).toMatch(/Tests {2}2 passed \(2\)/);
  });

  it("docs/front-ends.md: axios and both forms pass their tests", async () => {
    const cwd = folder.folderOf("docs/front-ends.md");
    for (const form of ["react-form", "vue-form"]) {
      cpSync(absolute(`test/docs/${form}.ts`), join(cwd, `${form}.test.ts`));
    }
    cpSync(absolute("test/time-limits.ts"), join(cwd, "../time-limits.ts"));
    const config = `{ plugins: [vue()], test: ${JSON.stringify(timeLimits)} }`;
    const plugin = 'import vue from "@vitejs/plugin-vue";';
    writeFileSync(join(cwd, "vitest.config.js"), `${plugin}\nexport default ${config};\n`);
    const printed = await node(cwd, join(modules, "vitest/vitest.mjs"), "run");
    expect(printed).toMatch(/Tests {2}9 passed \(9\)/);
  });
});

it("docs/queues.md: the Lambda function reports the messages that should come again", async () => {
  const page = folder.folderOf("docs/queues.md");
  const { createHandler } = await import(/* @vite-ignore */ join(page, "lambda.ts"));
  const results: Record<string, object> = {
    1: { ok: true },
    2: { ok: false, error: { kind: "api", status: 409, outcome: "rejected" } },
    3: { ok: false, error: { kind: "api", status: 429, outcome: "rejected" } },
    4: { ok: false, error: { kind: "response", status: 400, outcome: "rejected" } },
    5: { ok: false, error: { kind: "connection", outcome: "unknown" } },
  };
  const states = new Map<string, string>();
  const claims = {
    add: async (key: string) => !states.has(key) && states.set(key, "unknown") === states,
    set: async (key: string, state: string) => states.set(key, state),
    delete: async (key: string) => states.delete(key),
  };
  const timeouts: number[] = [];
  const tryCreatePlant = async ({ id }: { id: number }, { timeoutMs }: { timeoutMs: number }) => {
    timeouts.push(timeoutMs);
    return results[id];
  };
  const messages = Object.keys(results).map((id) => ({ messageId: id, body: `{"id":${id}}` }));
  const Records = [{ messageId: "0", body: "not JSON" }, ...messages];
  const context = { getRemainingTimeInMillis: () => 30_000 };
  const { batchItemFailures } = await createHandler({ tryCreatePlant }, claims)({ Records }, context);
  expect(batchItemFailures).toEqual(["0", "3", "4"].map((itemIdentifier) => ({ itemIdentifier })));
  expect(Object.fromEntries(states)).toEqual({ 1: "created", 2: "refused", 5: "unknown" });
  expect(new Set(timeouts)).toEqual(new Set([29_000]));
});

it("docs/errors-to-http.md: each server responds as the table says, and ends the call of a caller that has left", async () => {
  const cwd = folder.folderOf("docs/errors-to-http.md");
  cpSync(absolute("test/docs/servers.ts"), join(cwd, "servers.ts"));
  const printed = await node(cwd, "--import", import.meta.resolve("tsx"), "servers.ts");
  const statuses = [
    '201 [400,"application/problem+json",{"outcome":"not-sent"}]',
    '[400,{"status":400,"title":"Bad Request","outcome":"rejected","detail":"the greenhouse is full","code":7}]',
    '[409,{"status":409,"title":"Conflict","outcome":"rejected","detail":"the id is taken","code":8}]',
    '[502,{"status":502,"title":"Bad Gateway","outcome":"unknown"}] 503 after 120 s, left: aborted',
  ].join(" ");
  expect(printed.split("\n").filter((line) => line.includes("aborted"))).toEqual([
    `express ${statuses}`,
    `fastify ${statuses}`,
  ]);
});

/** Runs Node and returns its output, which is also the message if it fails. */
async function node(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...process.env, CI: "true", NO_COLOR: "1", NODE_OPTIONS: "", VITEST: "", NODE_ENV: "" };
  const running = promisify(execFile)(process.execPath, args, { cwd, env, timeout: WAIT_MS });
  const { stdout, stderr } = await running.catch((error) => {
    throw new Error(`${args.join(" ")} failed:\n${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

import "./test/own-environment.ts";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { announceBrowser } from "./test/announce-browser.ts";
import { StandStill } from "./test/stand-still.ts";
import { timeLimits } from "./test/time-limits.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const glob = (pattern: string) => at(pattern).replaceAll("\\", "/");

// Vite reads these characters of a path as part of a URL, and then every test file fails with another message.
const [character] = /[#%]/.exec(at(".")) ?? [];
if (character) throw new Error(`no test can run in a folder whose path contains "${character}": rename ${at(".")}`);

/** Those have a configuration and a command of their own: npm run gate -- package, recipes and so on. */
const apart = [
  "test/package/**",
  "test/recipes/**",
  "test/runtimes/**",
  "test/examples/projects/**",
  "**/node_modules/**",
];

const GATE = "**/*.gate.test.ts";
const NIGHTLY = "**/*.nightly.test.ts";

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

const REPLACES_MODULES = /\bvi\.(mock|doMock|resetModules)\(/;

/** A simulation replaces the timers of its worker, and one that never ends keeps them. The guides simulate, too. */
const SIMULATES = /\bsimulate\b[^;]*from "plant-store-client\/mock"|\bprogramsOf\b/;

/** `npm run fuzz` is silent for as long as it tries random input. */
const fuzzMs = Number(process.env.FUZZ_SECONDS ?? 0) * 1000;

/** The test files whose text matches. */
export function testFilesWith(pattern: RegExp): string[] {
  return readdirSync(at("test"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
    .filter((path) => pattern.test(readFileSync(at(`test/${path}`), "utf8")))
    .map((path) => `test/${path.replaceAll("\\", "/")}`);
}

/** The test files that need a worker of their own. */
const isolated = testFilesWith(REPLACES_MODULES).concat(testFilesWith(SIMULATES));

export default defineConfig({
  resolve: {
    // Tests import the entry points by their public names, and get the sources. Only test/package looks at the built ones.
    alias: [
      { find: "#platform", replacement: at("src/platform/outside-browsers.ts") },
      { find: /^plant-store-client\/mock$/, replacement: at("mock/index.ts") },
      { find: /^plant-store-client\/mock\/(.+)$/, replacement: `${at("mock/")}$1.ts` },
      { find: /^plant-store-client\/undici$/, replacement: at("src/undici.ts") },
      { find: /^plant-store-client\/journal$/, replacement: at("src/journal.ts") },
      { find: /^plant-store-client$/, replacement: at("src/index.ts") },
    ],
  },
  test: {
    // Otherwise Vitest leaves one core to itself: on two, only one would run tests.
    maxWorkers: "100%",
    reporters: ["default", announceBrowser, new StandStill(fuzzMs)],
    projects: [
      // Test files share a worker, and with it what they load: that is half of the time that a file takes on its own.
      project("shared", {
        include: ["test/**/*.test.ts"],
        exclude: [...apart, ...isolated, GATE, NIGHTLY],
        setupFiles: at("test/shared-globals.ts"),
        ...{ isolate: false, unstubEnvs: true, unstubGlobals: true, restoreMocks: true },
      }),
      project("isolated", { include: isolated, exclude: [...apart, GATE] }),
      // These start processes, fill memory, repeat something for long or ask git: `npm test` leaves them out.
      project("gate", { include: [`test/${GATE}`], exclude: apart }),
      project("nightly", { include: [`test/${NIGHTLY}`], exclude: apart }),
    ],
    ...timeLimits,
    coverage: {
      include: [glob("src/**/*.ts"), glob("mock/**/*.ts")],
      // Generated; and the console's page, which runs in Chromium: test/mock/http/console.gate.test.ts walks it there.
      exclude: ["src/contract/openapi.ts", "mock/http/console/page-files.ts", "mock/http/console/page/**"],
      reporter: ["text", "html"],
      thresholds: { 100: true },
    },
  },
});

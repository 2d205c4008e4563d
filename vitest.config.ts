import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "./test/stand-still.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** `npm run fuzz` is silent for as long as it tries random input. */
const fuzzMs = Number(process.env.FUZZ_MINUTES ?? 0) * 60_000;

export default defineConfig({
  resolve: {
    // Tests import the entry points by their public names, and get the sources. Only test/package looks at the built ones.
    alias: [
      { find: /^plant-store-client\/mock$/, replacement: at("mock/index.ts") },
      { find: /^plant-store-client\/mock\/(.+)$/, replacement: `${at("mock/")}$1.ts` },
      { find: /^plant-store-client\/undici$/, replacement: at("src/undici.ts") },
      { find: /^plant-store-client$/, replacement: at("src/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: at("test/announce-browser.ts"),
    reporters: ["default", new StandStill(120_000 + fuzzMs)],
    // Those have a configuration and a command of their own: npm run gate -- package, test:recipes and so on.
    exclude: [
      "test/package/**",
      "test/recipes/**",
      "test/runtimes/**",
      "test/examples/projects/**",
      "**/node_modules/**",
    ],
    // Some tests start processes; a slow machine does not make them fail.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    coverage: {
      include: [at("src/**/*.ts"), at("mock/**/*.ts")],
      // Generated; and the console's page, which runs in Chromium: test/mock/http/console.test.ts walks it there.
      exclude: ["src/contract/openapi.ts", "mock/http/console/page-files.ts", "mock/http/console/page/**"],
      reporter: ["text", "html"],
      thresholds: { 100: true },
    },
  },
});

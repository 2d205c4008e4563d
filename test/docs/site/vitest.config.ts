import "../../own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../../stand-still.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["**/*.spec.ts"],
    reporters: ["default", new StandStill()],
    globalSetup: "./install.ts",
    // Some tests start a test runner and a browser.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    globalSetup: "./pack.ts",
    // Each test installs what its recipe needs.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});

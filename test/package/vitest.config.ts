import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  test: {
    include: ["*.test.ts"],
    globalSetup: "./install.ts",
    testTimeout: 180_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});

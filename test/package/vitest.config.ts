import "../own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../stand-still.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  test: {
    include: ["*.test.ts"],
    reporters: ["default", new StandStill(300_000)],
    globalSetup: "./install.ts",
    testTimeout: 180_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});

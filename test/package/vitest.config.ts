import "../own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../stand-still.ts";
import { timeLimits } from "../time-limits.ts";

const here = fileURLToPath(new URL(".", import.meta.url));

export default defineConfig({
  root: here,
  test: {
    include: ["*.test.ts"],
    reporters: ["default", new StandStill()],
    globalSetup: "./install.ts",
    ...timeLimits,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});

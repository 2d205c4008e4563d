import "../../own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../../stand-still.ts";
import { timeLimits } from "../../time-limits.ts";

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  test: {
    include: ["**/*.spec.ts"],
    reporters: ["default", new StandStill()],
    globalSetup: "../install-packages.ts",
    ...timeLimits,
    maxWorkers: 2,
  },
});

import "../../own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../../stand-still.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    include: ["*.test.ts"],
    reporters: ["default", new StandStill(300_000)],
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});

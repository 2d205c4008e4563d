import { defineConfig } from "vitest/config";
import { StandStill } from "../../stand-still.ts";

export default defineConfig({
  test: {
    include: ["test/docs/site/*.spec.ts"],
    reporters: ["default", new StandStill()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { StandStill } from "../../stand-still.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: { include: ["stuck.ts"], reporters: ["default", new StandStill(2_000)] },
});

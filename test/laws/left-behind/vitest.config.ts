import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["leaves.ts"],
    isolate: false,
    setupFiles: fileURLToPath(new URL("../../shared-globals.ts", import.meta.url)),
  },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // Each test installs what its example needs.
  test: { include: ["*.test.ts"], testTimeout: 180_000 },
});

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import root from "../../vitest.config.ts";

// The tests that run in a moment and within this process: each of them runs thousands of times.
export default defineConfig({
  ...root,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...root.test,
    include: ["test/{client,contract,judges,mock}/**/*.test.ts"],
    exclude: ["test/client/{signal-listeners,sockets,faults,undici*}.test.ts", "**/node_modules/**"],
  },
});

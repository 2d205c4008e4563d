import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import root from "../../vitest.config.ts";

/** Tests that start a process, a browser or a socket, or take their time: each test here runs thousands of times. */
const slow = [
  "test/client/{abort-collected,create-plants-memory,environment,faults,signal-listeners,sockets,undici}.test.ts",
  "test/mock/{browser,msw-3,msw-missing}*.test.ts",
  "test/mock/{replies,sessions}.test.ts",
  "test/contract/json.test.ts",
  "test/mock/http/{many-sessions,exact-json,command,console,hostile,load,run}*.test.ts",
];

export default defineConfig({
  ...root,
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    ...root.test,
    include: ["test/{client,contract,mock}/**/*.test.ts"],
    exclude: [...slow, "**/node_modules/**"],
  },
});

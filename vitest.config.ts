import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: {
    // Tests import the doors by their public names, and get the sources. Only test/package looks at the built ones.
    alias: [
      { find: /^plant-store-client\/mock$/, replacement: at("mock/index.ts") },
      { find: /^plant-store-client\/mock\/(.+)$/, replacement: `${at("mock/")}$1.ts` },
      { find: /^plant-store-client\/undici$/, replacement: at("src/undici.ts") },
      { find: /^plant-store-client$/, replacement: at("src/index.ts") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/runtimes/**", "**/node_modules/**"],
    coverage: { include: ["src/**", "mock/**"], exclude: ["src/contract/openapi.ts"] },
  },
});

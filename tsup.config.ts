import { defineConfig, type Options } from "tsup";

const doors = {
  index: "src/index.ts",
  undici: "src/undici.ts",
  "mock/index": "mock/index.ts",
  "mock/msw": "mock/msw.ts",
  "mock/node": "mock/node.ts",
  "mock/browser": "mock/browser.ts",
  "mock/http": "mock/http.ts",
};

const shared: Options = {
  target: "es2022",
  // One copy of the code in each format, so that an error or a mock from one door is known at every other.
  splitting: true,
  external: ["msw", "msw/node", "msw/browser", "undici"],
};

export default defineConfig([
  { ...shared, entry: doors, format: ["esm", "cjs"] },
  { ...shared, entry: { cli: "mock/cli.ts" }, format: "esm", platform: "node" },
  { ...shared, entry: doors, format: ["esm", "cjs"], dts: { only: true } },
]);

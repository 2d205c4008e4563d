import { defineConfig, type Options } from "tsup";
import { writePeerGuards } from "./scripts/peer-guards.ts";

const clientDoors = {
  index: "src/index.ts",
  undici: "src/undici.ts",
};

const mockDoors = {
  "mock/index": "mock/index.ts",
  "mock/msw": "mock/msw.ts",
  "mock/node": "mock/node.ts",
  "mock/browser": "mock/browser.ts",
  "mock/http": "mock/http.ts",
};

const shared: Options = {
  format: ["esm", "cjs"],
  target: "es2022",
  // `http` without its `node:` is nothing to Deno and bundlers.
  removeNodeProtocol: false,
  // One copy of the code in each format, so that an error or a mock from one door is known at every other.
  splitting: true,
  external: ["msw", "msw/node", "msw/browser", "undici"],
};

// A consumer's own lib may lack Symbol.dispose. The declarations bundler drops such references, hence the banner.
const disposable = '/// <reference lib="esnext.disposable" />';

export default defineConfig([
  {
    ...shared,
    entry: { ...clientDoors, ...mockDoors },
    onSuccess: () => writePeerGuards(new URL("dist/", import.meta.url)),
  },
  { ...shared, entry: { cli: "mock/cli.ts" }, format: "esm", platform: "node" },
  { ...shared, entry: clientDoors, dts: { only: true } },
  { ...shared, entry: mockDoors, dts: { only: true, banner: disposable } },
]);

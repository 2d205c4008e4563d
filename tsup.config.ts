import { defineConfig, type Options } from "tsup";

const client = {
  index: "src/index.ts",
  undici: "src/undici.ts",
  journal: "src/journal.ts",
};

/** What `imports` of package.json chooses between. */
const platform = {
  "platform/outside-browsers": "src/platform/outside-browsers.ts",
  "platform/browser": "src/platform/browser.ts",
};

const mock = {
  "mock/index": "mock/index.ts",
  "mock/msw": "mock/msw.ts",
  "mock/node": "mock/node.ts",
  "mock/browser": "mock/browser.ts",
  "mock/http": "mock/http.ts",
};

const shared: Options = {
  target: "es2022",
  // Deno and bundlers do not know `http` without its `node:`.
  removeNodeProtocol: false,
  // Entry points of one build share their code, in each format.
  splitting: true,
  // Without it, tsup splits CommonJS by a transform that renames classes (`_class6`) and lowers `?.`. No import is for its
  // side effects: those of chunks, which would stay for their order alone, are left out.
  treeshake: { moduleSideEffects: "no-external" },
  external: ["#platform", "msw", "msw/node", "msw/browser", "undici"],
};

/** With source maps that name the lines of the sources in stack traces, without a copy of these sources. */
const modules: Options = {
  ...shared,
  format: "esm",
  sourcemap: true,
  esbuildOptions: (options) => {
    options.sourcesContent = false;
  },
};

const commonjs: Options = {
  ...shared,
  format: "cjs",
  esbuildOptions: (options) => {
    // CommonJS has no `import.meta`.
    options.define = { ...options.define, "import.meta.url": "__filename" };
  },
};

// tsup 8 sets baseUrl, which TypeScript 6.0 deprecates.
const dts = { only: true, compilerOptions: { ignoreDeprecations: "6.0" } };
const declarations: Options = { ...shared, format: ["esm", "cjs"], dts };

// A consumer's own lib may lack Symbol.dispose. The declarations bundler drops such references, hence the banner.
const disposable = '/// <reference lib="esnext.disposable" />';

// Client and mock are built apart: what both use is in the package twice, so that an import of the client loads few files.
export default defineConfig([
  { ...modules, entry: platform, splitting: false },
  { ...commonjs, entry: platform, splitting: false },
  { ...modules, entry: client },
  { ...commonjs, entry: client },
  { ...modules, entry: { ...mock, cli: "mock/cli.ts" } },
  { ...commonjs, entry: mock },
  { ...declarations, entry: client, dts: { ...dts, banner: disposable } },
  { ...declarations, entry: mock, dts: { ...dts, banner: disposable } },
]);

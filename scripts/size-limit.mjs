/**
 * What a browser loads, and its limits, for `npx size-limit --config scripts/size-limit.mjs`. Why so much:
 * docs/decisions/0010-bundle-size.md.
 */

// The bundler chooses `#platform` by package.json, as it does for a consumer, and not by this project's tsconfig.json.
const modifyEsbuildConfig = (config) => ({ ...config, tsconfigRaw: "{}" });

const shared = { path: "../dist/index.js", gzip: true, modifyEsbuildConfig };

export default [
  {
    ...shared,
    name: "the client, with openapi-fetch (the wish is 9.0 kB)",
    import: "{ PlantStoreClient }",
    limit: "14.2 kB",
  },
  { ...shared, name: "everything of the client's entry point", limit: "20.3 kB" },
];

/** One command that must succeed. */
export interface Step {
  readonly name: string;
  /** The command, as a shell reads it. */
  readonly run: string;
  /** It runs tests, and prints how many passed and failed. */
  readonly tests?: boolean;
  /** Variables of its environment, before those of the gate. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A machine on which nothing but Node can be found, and a download of the sources instead of a clone. */
const BARE = { PLANT_STORE_TEST_BROWSER: "none", PLANT_STORE_TEST_REDIS: "none", GIT_DIR: "none" };

/**
 * The checks that a change must pass. Cheap and informative ones come first. The steps after `test` use the package that
 * `build` has built.
 *
 * A step marked `tests` counts as many tests as its runner reports; any other step counts as one test, and runs next to
 * its neighbors.
 */
export const steps: readonly Step[] = [
  { name: "generate", run: "npm run generate -- --check" },
  { name: "lint", run: "npm run lint" },
  { name: "typecheck", run: "npm run typecheck" },
  { name: "openapi", run: "npx redocly lint openapi.yaml --config scripts/redocly.yaml" },
  { name: "supply-chain", run: "npx tsx scripts/supply-chain.ts" },
  { name: "sbom", run: "npm sbom --omit=dev --omit=peer --sbom-format=cyclonedx" },
  { name: "zizmor", run: "npx tsx scripts/zizmor.ts" },
  // npm builds the package first. This is the one build of the gate.
  { name: "build", run: "npm publish --dry-run --access public" },
  { name: "test", run: "npm test -- --coverage", tests: true },
  { name: "slow-tests", run: "npx vitest run --project gate", tests: true },
  { name: "docs", run: "npm run docs" },
  { name: "api", run: "npm run api -- --check" },
  { name: "knip", run: "npx knip --config scripts/knip.json" },
  { name: "size", run: "npx size-limit --config scripts/size-limit.mjs" },
  { name: "newest-node", run: "npx --yes --package node@26 npm test", tests: true, env: BARE },
  { name: "examples", run: "npx vitest run --config test/examples/projects/vitest.config.ts", tests: true },
  // Between two steps that run tests, so that nothing runs next to it. The one above installs its Node.
  { name: "allocations", run: "node bench/allocations.mjs --check" },
  { name: "site", run: "npx vitest run --config test/docs/site/vitest.config.ts", tests: true },
  { name: "runtimes", run: "npx tsx test/runtimes/run.mjs", tests: true },
  { name: "msw", run: "npx tsx test/parity/msw-versions/run.mjs", tests: true },
  { name: "recipes", run: "npx vitest run --config test/recipes/vitest.config.ts", tests: true },
  { name: "package", run: "npx vitest run --config test/package/vitest.config.ts", tests: true },
];

/** Slow and rare checks: `npm run gate -- nightly`. They take some hours. */
export const nightly: readonly Step[] = [
  // In place, and not in the lock file: `npm ci` restores what it says.
  {
    name: "newest-dependencies",
    run: "npm update --no-save --no-audit --no-fund && npm run typecheck && npm test && npm ci --include=dev",
  },
  { name: "million", run: "npx vitest run --project nightly", tests: true },
  { name: "fuzz", run: "npm run fuzz", tests: true, env: { FUZZ_SECONDS: "100" } },
  { name: "restarts", run: "npm run bench -- restarts --check" },
  { name: "steady", run: "npm run steady" },
  { name: "mutation", run: "npm run mutation" },
];

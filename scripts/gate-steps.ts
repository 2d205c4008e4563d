import { readdirSync } from "node:fs";

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

/** Steps of which three run at a time: each waits for a part of its time, for timers, child processes or npm. */
export type Group = readonly Step[];

/** On the newest Node, tests that only read files, or try the contract's code with more input, show nothing new. */
const SAME_ON_ANY_NODE = ["docs", "examples", "fuzz", "judges", "laws"];
const folders = readdirSync(new URL("../test", import.meta.url), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SAME_ON_ANY_NODE.includes(entry.name))
  .map(({ name }) => `test/${name}/`)
  .join(" ");

/**
 * The checks that a change must pass. A group begins when the one above it has ended; cheap and informative ones come
 * first. The groups after the first use the package that `build` has built, and what `packages` has installed.
 *
 * A step marked `tests` counts as many tests as its runner reports; any other step counts as one test.
 */
export const groups: readonly Group[] = [
  [
    { name: "generate", run: "npm run generate -- --check" },
    { name: "packages", run: "npm ci --prefix test/packages --ignore-scripts --no-audit --no-fund" },
    { name: "lint", run: "npm run lint" },
    { name: "typecheck", run: "npm run typecheck" },
    { name: "openapi", run: "npx redocly lint openapi.yaml --config scripts/redocly.yaml" },
    { name: "supply-chain", run: "npx tsx scripts/supply-chain.ts" },
    { name: "sbom", run: "npm sbom --omit=dev --omit=peer --sbom-format=cyclonedx" },
    { name: "zizmor", run: "npx tsx scripts/zizmor.ts" },
    // npm builds the package first. This is the one build of the gate.
    { name: "build", run: "npm publish --dry-run --access public" },
  ],
  // Each of the next three uses every core, or measures.
  [{ name: "test", run: "npm test -- --coverage", tests: true }],
  [{ name: "newest-node", run: `npx --yes --package node@26 npm test -- ${folders}`, tests: true, env: BARE }],
  [{ name: "allocations", run: "node bench/allocations.mjs --check" }],
  // The longest come first.
  [
    { name: "slow-tests", run: "npx vitest run --project gate", tests: true },
    { name: "site", run: "npm run docs && npx vitest run --config test/docs/site/vitest.config.ts", tests: true },
    { name: "runtimes", run: "npx tsx test/runtimes/run.mjs", tests: true },
    { name: "package", run: "npx vitest run --config test/package/vitest.config.ts", tests: true },
    { name: "recipes", run: "npx vitest run --config test/recipes/vitest.config.ts", tests: true },
    { name: "msw", run: "npx tsx test/parity/msw-versions/run.mjs", tests: true },
    { name: "examples", run: "npx vitest run --config test/examples/projects/vitest.config.ts", tests: true },
    { name: "knip", run: "npx knip --config scripts/knip.json" },
    { name: "size", run: "npx size-limit --config scripts/size-limit.mjs" },
    { name: "api", run: "npm run api -- --check" },
  ],
];

/** Slow and rare checks: `npm run gate -- nightly`. They take some hours. */
export const nightly: Group = [
  // In place, and not in the lock file: `npm ci` restores what it says.
  {
    name: "newest-dependencies",
    run: "npm update --no-save --no-audit --no-fund && npm run typecheck && npm test && npm ci --include=dev",
  },
  { name: "million", run: "npx vitest run --project nightly", tests: true },
  { name: "fuzz", run: "npm run fuzz", tests: true, env: { FUZZ_SECONDS: "100" } },
  { name: "restarts", run: "npm run bench -- restarts --check" },
  { name: "steady", run: "npm run steady" },
  { name: "mutation", run: "npm run mutation", env: { MUTANTS: "300" } },
];

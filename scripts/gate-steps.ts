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

/** A machine on which nothing but Node can be found. */
const BARE = { PLANT_STORE_TEST_BROWSER: "none", PLANT_STORE_TEST_REDIS: "none", PLANT_STORE_TEST_VARNISH: "none" };

/**
 * What a change must pass, in order: the cheap and telling ones first.
 *
 * A step marked `tests` runs tests, and counts as many as its runner says; any other counts as one test of its own.
 * The steps after `build` look at `dist`.
 */
export const steps: readonly Step[] = [
  { name: "generate:check", run: "npm run generate:check" },
  { name: "lint", run: "npm run lint" },
  { name: "lint:openapi", run: "npm run lint:openapi" },
  { name: "typecheck", run: "npm run typecheck" },
  { name: "supply-chain", run: "npm run supply-chain" },
  { name: "sbom", run: "npm sbom --omit=dev --omit=peer --sbom-format=cyclonedx" },
  { name: "zizmor", run: "npx --no-install tsx scripts/zizmor.ts" },
  { name: "test:all", run: "npm run test:all", tests: true },
  { name: "test, bare", run: "npm test", tests: true, env: BARE },
  { name: "test:examples", run: "npm run test:examples", tests: true },
  { name: "build", run: "npm run build" },
  { name: "api:check", run: "npm run api:check" },
  { name: "knip", run: "npm run knip" },
  { name: "size", run: "npm run size" },
  { name: "docs:try", run: "npm run docs:try" },
  { name: "docs", run: "npm run docs" },
  { name: "test:docs", run: "npm run test:docs", tests: true },
  { name: "test:runtimes", run: "npm run test:runtimes", tests: true },
  { name: "test:msw", run: "npm run test:msw", tests: true },
  { name: "test:recipes", run: "npm run test:recipes", tests: true },
  { name: "test:package", run: "npm run test:package", tests: true },
];

import { draw, MUTANTS } from "./sample.mjs";

const files = [
  "src/**/*.ts",
  "mock/**/*.ts",
  "!src/contract/openapi.ts",
  "!mock/{simulation,time,http/console/page}/**",
];
const isSample = MUTANTS > 0;

export default {
  testRunner: "vitest",
  vitest: { configFile: "test/mutation/vitest.config.ts", related: false },
  plugins: ["@stryker-mutator/vitest-runner", "./test/mutation/sample.mjs"],
  mutate: isSample ? await draw() : files,
  checkers: isSample ? ["sample"] : [],
  ignorePatterns: ["bench", "dist", "examples/*", "site", "test/packages", "reports", "coverage"],
  reporters: ["progress-append-only", "clear-text", "html"],
  clearTextReporter: { logTests: false, reportTests: false },
  htmlReporter: { fileName: "reports/mutation.html" },
  tempDirName: ".stryker-tmp",
  ignoreStatic: true,
  dryRunTimeoutMinutes: 60,
  timeoutMS: 60_000,
  timeoutFactor: 4,
  concurrency: 1,
  thresholds: { high: 95, low: 90, break: 75 },
};

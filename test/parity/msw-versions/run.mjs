// Runs the MSW tests, and those of a page, on the oldest MSW 2 and on MSW 3 (on Node 22), and prints the output of Vitest
// for each. The tests themselves run on the newest MSW 2.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import installPackages, { packages } from "../../install-packages.ts";

installPackages();

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const vitest = here("../../../node_modules/vitest/vitest.mjs");
/** The one beside jsdom and happy-dom. */
const pageVitest = `${packages}/vitest/vitest.mjs`;
const node22 = `${packages}/node-22-linux-${process.arch}/bin/node`;
const runs = [
  ["msw-2-11", process.execPath],
  ["msw-3", node22],
];

let failed = false;
for (const [version, node] of runs) {
  console.log(`\n${version}`);
  run(node, [vitest, "test/parity", "test/mock/msw"], { MSW_VERSION: version });
  // jsdom needs Node 22.
  for (const environment of ["jsdom", "happy-dom"]) {
    run(node22, [pageVitest], { MSW_VERSION: version, MSW_ENVIRONMENT: environment });
  }
}

function run(node, [program, ...files], env) {
  const args = [program, "run", "--config", here("vitest.config.ts"), ...files];
  failed ||= spawnSync(node, args, { stdio: "inherit", env: { ...process.env, ...env } }).status !== 0;
}
process.exit(failed ? 1 : 0);

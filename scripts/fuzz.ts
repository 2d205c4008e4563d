/** Tests the properties of `test/fuzz` with random input, N minutes in all: `npm run fuzz -- --minutes N [--seed S]`. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } } });
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!(minutes > 0)) throw new RangeError(`--minutes: expected a number above 0, received "${values.minutes}"`);
if (!Number.isInteger(seed)) throw new RangeError(`--seed: expected an integer, received "${values.seed}"`);

const PROPERTIES = ["test/fuzz", "--project=shared", "--project=isolated"];
const inherit = { stdio: "inherit", shell: process.platform === "win32" } as const;

function countProperties(): number {
  const args = ["vitest", "list", ...PROPERTIES, "--json"];
  const { stdout } = spawnSync("npx", args, { ...inherit, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  return JSON.parse(stdout).length;
}

console.log(`seed ${seed}`);
const env = {
  ...process.env,
  FUZZ_SECONDS: String((minutes * 60) / countProperties()),
  FUZZ_SEED: String(seed),
};
// One file at a time, so that no share depends on what runs next to it.
const args = ["vitest", "run", ...PROPERTIES, "--no-file-parallelism", "--disable-console-intercept"];
process.exitCode = spawnSync("npx", args, { ...inherit, env }).status === 0 ? 0 : 1;

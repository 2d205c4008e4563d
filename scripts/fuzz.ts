/** Tests the properties of `test/fuzz` with random input, N minutes in all: `npm run fuzz -- --minutes N [--seed S]`. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } } });
const minutes = Number(values.minutes);
const seed = Number(values.seed ?? Date.now() % 2 ** 31);
if (!(minutes > 0)) throw new RangeError(`--minutes: expected a number above 0, received "${values.minutes}"`);
if (!Number.isInteger(seed)) throw new RangeError(`--seed: expected an integer, received "${values.seed}"`);

const end = performance.now() + minutes * 60_000;
const secondsLeft = () => Math.max(0, (end - performance.now()) / 1000);

/** Compares the CPU time of growing inputs. It takes as long as it takes; the properties share the rest. */
const GROWTH = "growth.test.ts";
const PROPERTIES = readdirSync("test/fuzz").filter((name) => name.endsWith(".test.ts") && name !== GROWTH);
const paths = (names: readonly string[]) => names.map((name) => `test/fuzz/${name}`);

const inherit = { stdio: "inherit", shell: process.platform === "win32" } as const;

/** One file at a time, so that neither the shares nor the CPU times depend on what runs next to them. */
function run(files: readonly string[], seconds: number): boolean {
  const env = { ...process.env, FUZZ_SECONDS: String(seconds), FUZZ_SEED: String(seed) };
  const args = ["vitest", "run", ...paths(files), "--no-file-parallelism", "--disable-console-intercept"];
  return spawnSync("npx", args, { ...inherit, env }).status === 0;
}

function countProperties(): number {
  const args = ["vitest", "list", ...paths(PROPERTIES), "--json"];
  const { stdout } = spawnSync("npx", args, { ...inherit, stdio: ["ignore", "pipe", "inherit"], encoding: "utf8" });
  return JSON.parse(stdout).length;
}

console.log(`seed ${seed}`);
const isLinear = run([GROWTH], secondsLeft());
const holds = run(PROPERTIES, secondsLeft() / countProperties());
process.exitCode = isLinear && holds ? 0 : 1;

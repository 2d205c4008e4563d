/** Runs the tests of `test/fuzz` for some minutes each: `npm run fuzz -- --minutes N [--seed S]`. */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "5" }, seed: { type: "string" } } });
const { minutes, seed } = values;
if (!(Number(minutes) > 0)) throw new RangeError(`--minutes: must be a number above 0, and is ${minutes}`);

const environment = { ...process.env, FUZZ_MINUTES: minutes, ...(seed === undefined ? {} : { FUZZ_SEED: seed }) };
const options = { stdio: "inherit", env: environment, shell: process.platform === "win32" } as const;
const { status } = spawnSync("npx", ["vitest", "run", "test/fuzz"], options);
process.exitCode = status ?? 1;

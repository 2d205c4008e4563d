import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BENCH = fileURLToPath(new URL("../", import.meta.url));
// In node_modules, so that the peers of bench/package.json are found, and no linter looks; of this run alone.
export const STAGE = `${BENCH}node_modules/.stage/${process.pid}/`;

/** Installs the peers where they are missing. */
export function install() {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], BENCH);
}

/** The sources of the doors, and of the command, as tsup.config.ts has them; the JSON codec is no door, but measured. */
export const CLIENT = ["src/index", "src/undici", "src/contract/json"];
export const MOCK = ["mock/index", "mock/msw"];
export const SERVER = ["mock/cli"];

/**
 * Builds doors of the package into a folder of the benchmark's own, gone when it ends, so that a build beside it disturbs no run; twice,
 * beside MSW 2 and beside MSW 3.
 */
export function build(doors) {
  process.on("exit", () => rmSync(STAGE, { recursive: true, force: true }));
  const out = `${STAGE}package/`;
  mkdirSync(out, { recursive: true });
  const entries = doors.flatMap((door) => [
    `--entry.${door.replace(/^src\/(contract\/)?|^mock\/(?=cli)/, "")}`,
    `${door}.ts`,
  ]);
  const external = ["msw", "msw/node", "msw/browser", "undici"].flatMap((name) => ["--external", name]);
  const options = ["--no-config", "--format", "esm", "--target", "es2022", "--platform", "node", "--silent"];
  run("npx", ["tsup", ...options, ...entries, ...external, "--out-dir", `${out}dist`], ROOT);
  for (const file of ["package.json", "openapi.yaml"]) cpSync(`${ROOT}${file}`, `${out}${file}`);
  const beside3 = `${STAGE}beside-msw-3/`;
  cpSync(out, beside3, { recursive: true });
  mkdirSync(`${beside3}node_modules`);
  symlinkSync(`${BENCH}node_modules/msw3`, `${beside3}node_modules/msw`);
}

/** The URL of a built file, such as `index.js`. */
export function dist(file, { msw = 2 } = {}) {
  return pathToFileURL(distPath(file, { msw })).href;
}

/** The path of a built file, such as `cli.js`. */
export function distPath(file, { msw = 2 } = {}) {
  return `${STAGE}${msw === 3 ? "beside-msw-3" : "package"}/dist/${file}`;
}

function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args[0]} failed:\n${error.stdout}${error.stderr}`);
  }
}

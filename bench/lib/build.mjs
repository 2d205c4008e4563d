import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BENCH = fileURLToPath(new URL("../", import.meta.url));
// In node_modules, so that the peers of bench/package.json are found, and no linter looks.
const STAGE = `${BENCH}node_modules/.stage/`;

/** Installs the peers where they are missing. */
export function install() {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], BENCH);
}

/** Every door of the package, and its command, as tsup.config.ts has them. */
const CLIENT = ["src/index", "src/undici"];
const DOORS = [...CLIENT, "mock/index", "mock/msw", "mock/node", "mock/http", "mock/cli"];

/**
 * Builds the package into a folder of the benchmark's own, so that a build beside it disturbs no run; twice, beside MSW
 * 2 and beside MSW 3.
 *
 * @param doors - `client` builds the client's doors alone, which takes a second.
 */
export function build(doors) {
  rmSync(STAGE, { recursive: true, force: true });
  const out = `${STAGE}package/`;
  mkdirSync(out, { recursive: true });
  const entries = (doors === "client" ? CLIENT : DOORS).flatMap((door) => [
    `--entry.${door.replace("src/", "").replace("mock/cli", "cli")}`,
    `${door}.ts`,
  ]);
  // No door, but measured by itself.
  entries.push("--entry.json", "src/contract/json.ts");
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

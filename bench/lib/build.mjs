import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const BENCH = fileURLToPath(new URL("../", import.meta.url));
// In node_modules, where the peers of bench/package.json are found and linters do not read. Each run has its own.
export const STAGE = `${BENCH}node_modules/.stage/${process.pid}/`;

/** Installs the peers. */
export function install() {
  run("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], BENCH);
}

/**
 * Builds the package as it is published, into `dist`, and copies it to a folder of this run, which is removed at its end:
 * one copy for MSW 2, and one for MSW 3.
 */
export function build() {
  process.on("exit", () => rmSync(STAGE, { recursive: true, force: true }));
  const out = `${STAGE}package/`;
  run("npm", ["run", "build"], ROOT);
  for (const path of ["dist", "package.json", "openapi.yaml"]) {
    cpSync(`${ROOT}${path}`, `${out}${path}`, { recursive: true });
  }
  const withMsw3 = `${STAGE}msw-3/`;
  cpSync(out, withMsw3, { recursive: true });
  mkdirSync(`${withMsw3}node_modules`);
  symlinkSync(`${BENCH}node_modules/msw3`, `${withMsw3}node_modules/msw`);
}

/** The URL of a built file, such as `index.js`. */
export function dist(file, { msw = 2 } = {}) {
  return pathToFileURL(distPath(file, { msw })).href;
}

/** The path of a built file, such as `cli.js`. */
export function distPath(file, { msw = 2 } = {}) {
  return `${STAGE}${msw === 3 ? "msw-3" : "package"}/dist/${file}`;
}

function run(command, args, cwd) {
  try {
    execFileSync(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    throw new Error(`${command} ${args[0]} failed:\n${error.stdout}${error.stderr}`);
  }
}

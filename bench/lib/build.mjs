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

/** Sources of entry points and of the command, and of the JSON codec, which is measured by itself. */
export const CLIENT = ["src/index", "src/undici", "src/platform/server", "src/platform/browser", "src/contract/json"];
export const MOCK = ["mock/index", "mock/msw"];
export const SERVER = ["mock/cli"];

/** What shares code, as in tsup.config.ts: it decides how many files an import loads. */
const BUNDLES = [
  ["src/index", "src/undici"],
  ["src/platform/server"],
  ["src/platform/browser"],
  ["src/contract/json"],
  [...MOCK, ...SERVER],
];

/**
 * Builds entry points of the package into a folder of this run, which is removed at its end: one copy for MSW 2, and one
 * for MSW 3.
 */
export function build(entryPoints) {
  process.on("exit", () => rmSync(STAGE, { recursive: true, force: true }));
  const out = `${STAGE}package/`;
  mkdirSync(out, { recursive: true });
  const external = ["#platform", "msw", "msw/node", "msw/browser", "undici"].flatMap((name) => ["--external", name]);
  const options = ["--no-config", "--format", "esm", "--target", "es2022", "--platform", "node", "--silent"];
  for (const bundle of BUNDLES) {
    const entries = bundle
      .filter((source) => entryPoints.includes(source))
      .flatMap((source) => [`--entry.${source.replace(/^src\/(contract\/)?|^mock\/(?=cli)/, "")}`, `${source}.ts`]);
    if (entries.length) run("npx", ["tsup", ...options, ...entries, ...external, "--out-dir", `${out}dist`], ROOT);
  }
  for (const file of ["package.json", "openapi.yaml"]) cpSync(`${ROOT}${file}`, `${out}${file}`);
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

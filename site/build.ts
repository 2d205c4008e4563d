/** Builds the documentation site into `site/dist`: guides, reference, Run buttons, and the page to try the client on. */
import { execSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/");
const site = `${root}site`;

function run(command: string, cwd = root): void {
  execSync(command, { cwd, stdio: ["ignore", "inherit", "inherit"] });
}

const installed = statSync(`${site}/node_modules/.package-lock.json`, { throwIfNoEntry: false });
if ((installed?.mtimeMs ?? 0) < statSync(`${site}/package-lock.json`).mtimeMs) {
  run("npm ci --include=dev --no-audit --no-fund", site);
}
// The Run buttons and the page to try the client on use the built package.
if (!existsSync(`${root}dist/mock/index.js`)) run("npm run build");

rmSync(`${site}/pages`, { recursive: true, force: true });
cpSync(`${root}docs`, `${site}/pages/docs`, { recursive: true });
renameSync(`${site}/pages/docs/README.md`, `${site}/pages/docs/index.md`);
mkdirSync(`${site}/pages/run`);
cpSync(`${root}CHANGELOG.md`, `${site}/pages/CHANGELOG.md`);
cpSync(`${site}/index.md`, `${site}/pages/index.md`);
run("node --import tsx node_modules/typedoc/bin/typedoc --options site/typedoc.json");
run("npx --no-install tsc -p .", site);
run("npx --no-install vitepress build", site);
await build({
  entryPoints: [`${site}/pages/run/*.ts`],
  outdir: `${site}/dist/run`,
  alias: { "plant-store-client": `${root}dist/index.js`, "plant-store-client/mock": `${root}dist/mock/index.js` },
  // Else the client takes the worker for a page, which does not tell a refused connection from a lost response.
  conditions: ["worker"],
  ...{ bundle: true, splitting: true, minify: true, format: "esm", target: "es2022" },
});

// MSW's worker script belongs to the version of MSW that is installed.
run("npx --no-install msw init examples/browser/public --no-save");
run("npx --no-install tsc -p examples/browser");
run("npx --no-install vite build examples/browser --outDir ../../site/dist/try --emptyOutDir");
console.log("Built site/dist; `npm run docs:serve` shows it.");

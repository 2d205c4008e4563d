/**
 * Builds the documentation site into `site/dist`: the guides, the reference of every entry point, the programs behind
 * the Run buttons, and the page to try the client on.
 */
import { execSync } from "node:child_process";
import { cpSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildReference } from "./reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/");

function run(command: string, folder = ""): void {
  execSync(command, { cwd: root + folder, stdio: ["ignore", "inherit", "inherit"] });
}

const installed = statSync(`${root}site/node_modules/.package-lock.json`, { throwIfNoEntry: false });
if ((installed?.mtimeMs ?? 0) < statSync(`${root}site/package-lock.json`).mtimeMs) {
  run("npm ci --include=dev --no-audit --no-fund", "site");
}
// The Run buttons and the page to try the client on use the built package.
if (!existsSync(`${root}dist/mock/index.js`)) run("npm run build");

const pages = `${root}site/pages`;
rmSync(pages, { recursive: true, force: true });
cpSync(`${root}docs`, `${pages}/docs`, { recursive: true });
renameSync(`${pages}/docs/README.md`, `${pages}/docs/index.md`);
cpSync(`${root}CHANGELOG.md`, `${pages}/CHANGELOG.md`);
cpSync(`${root}site/index.md`, `${pages}/index.md`);
await buildReference(root);
run("npx --no-install tsc -p .", "site");
run("npx --no-install vitepress build", "site");

// MSW's worker script belongs to the version of MSW that is installed.
run("npx --no-install msw init examples/browser/public --no-save");
run("npx --no-install tsc -p examples/browser");
run("npx --no-install vite build examples/browser --outDir ../../site/dist/try --emptyOutDir");
console.log("Built site/dist; `npm run docs:serve` shows it.");

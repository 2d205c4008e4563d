/** Builds the documentation site into `site/dist`: guides, reference, Run buttons, and the page to try the client on. */
import { execSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

process.chdir(dirname(fileURLToPath(import.meta.url)));

function run(command: string, folder: string): void {
  execSync(command, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
}

// The Run buttons and the page to try the client on use the built package.
if (!existsSync("../dist/mock/index.js")) run("npm run build", "..");

rmSync("pages", { recursive: true, force: true });
cpSync("../docs", "pages/docs", { recursive: true });
for (const folder of ["docs", "docs/decisions"]) renameSync(`pages/${folder}/README.md`, `pages/${folder}/index.md`);
cpSync("../CHANGELOG.md", "pages/CHANGELOG.md");
cpSync("index.md", "pages/index.md");
mkdirSync("pages/run");
run("node --import tsx node_modules/typedoc/bin/typedoc --options site/typedoc.json", "..");
run("npx --no-install tsc -p .", ".");
run("npx --no-install vitepress build", ".");
await build({
  absWorkingDir: process.cwd(),
  entryPoints: ["./pages/run/*.ts"],
  outdir: "dist/run",
  alias: { "plant-store-client": "../dist/index.js", "plant-store-client/mock": "../dist/mock/index.js" },
  // Else the client takes the worker for a page, which does not tell a refused connection from a lost response.
  conditions: ["worker"],
  bundle: true,
  splitting: true,
  format: "esm",
  target: "es2022",
});

// MSW's worker script belongs to the version of MSW that is installed.
run("npx --no-install msw init examples/browser/public --no-save", "..");
run("npx --no-install tsc -p examples/browser", "..");
run("npx --no-install vite build examples/browser --outDir ../../site/dist/try --emptyOutDir", "..");

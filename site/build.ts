/**
 * Builds the documentation site into `site/dist`: the guides, the reference of every entry point, the page to try the
 * client on, and the programs behind the Run buttons. Every warning of TypeDoc is a failure.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildReference } from "./reference.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const pages = `${root}site/pages`;

function run(command: string, cwd = root, env: Record<string, string> = {}): void {
  execFileSync(command, { cwd, stdio: ["ignore", 2, 2], shell: true, env: { ...process.env, ...env } });
}

run("npm ci --include=dev --prefer-offline --no-audit --no-fund", `${root}site`);
// The Run buttons and the page to try the client on use the built package.
if (!existsSync(`${root}dist/mock/index.js`)) run("npm run build");

rmSync(pages, { recursive: true, force: true });
cpSync(`${root}docs`, `${pages}/docs`, { recursive: true });
cpSync(`${root}docs/README.md`, `${pages}/docs/index.md`);
cpSync(`${root}CHANGELOG.md`, `${pages}/CHANGELOG.md`);
cpSync(`${root}site/index.md`, `${pages}/index.md`);
rmSync(`${pages}/docs/README.md`);
await buildReference(root);
run("npx vitepress build", `${root}site`);

// MSW's worker script belongs to the version of MSW that is installed.
run("npx msw init examples/browser/public --no-save");
run("npx vite build examples/browser --outDir ../../site/dist/try --emptyOutDir", root, { VITE_SITE: "../" });

/**
 * Builds the page to try the client on, for the documentation site: `npm run build && npx tsx scripts/docs-try.ts`, then
 * `npm run docs`. It is installed in a folder of its own, as a reader of the example would.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/browser");
const folder = mkdtempSync(join(tmpdir(), "try-"));

// The page is a folder of the site: its links to the guides go one folder up.
const env = { ...process.env, VITE_SITE: "../" };

function npm(...args: string[]): void {
  execFileSync("npm", args, { cwd: folder, stdio: ["ignore", 2, 2], env, shell: process.platform === "win32" });
}

try {
  const leftOvers = new Set(["node_modules", "dist"]);
  cpSync(example, folder, { recursive: true, filter: (path) => !leftOvers.has(basename(path)) });
  const quietly = ["--no-audit", "--no-fund", "--ignore-scripts"];
  npm("ci", ...quietly);
  npm("install", "--no-save", "--install-links", "--prefer-offline", ...quietly, root);
  npm("run", "build", "--", "--outDir", join(example, "dist"), "--emptyOutDir");
  console.log("Built examples/browser/dist; `npm run docs` puts it into the site.");
} finally {
  rmSync(folder, { recursive: true, force: true });
}

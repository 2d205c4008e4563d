/**
 * Builds the try-it page with the built package, into `examples/browser/dist` or another folder:
 * `npm run build && npx tsx scripts/docs-try.ts`. Then `npm run docs` puts it into the site.
 */
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const output = resolve(process.argv[2] ?? `${root}examples/browser/dist`);

// The page is a folder of the site: its links to the guides go one folder up.
const env = { VITE_SITE: "../", ...process.env };

function npx(...args: string[]): void {
  const shell = process.platform === "win32";
  execFileSync("npx", ["--no-install", ...args], { cwd: root, stdio: ["ignore", 2, 2], env, shell });
}

// MSW's worker script belongs to the version of MSW that is installed.
npx("msw", "init", "examples/browser/public", "--no-save");
npx("tsc", "-p", "examples/browser");
npx("vite", "build", "examples/browser", "--outDir", output, "--emptyOutDir");
console.log(`Built ${output}.`);

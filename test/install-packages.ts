import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("packages/", import.meta.url);
const at = (path: string) => fileURLToPath(new URL(path, folder));

/** Where the packages are that guides, examples, and tests of the built package need beyond the project's own. */
export const packages: string = at("node_modules");

/** Installs them, unless they are installed and as new as the lock file. */
export default function installPackages(): void {
  const [lock, installed] = [at("package-lock.json"), at("node_modules/.package-lock.json")];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  execFileSync("npm", ["ci", "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: at("."),
    stdio: ["ignore", 2, 2],
    // On Windows, npm is a script that only a shell can start.
    shell: process.platform === "win32",
  });
}

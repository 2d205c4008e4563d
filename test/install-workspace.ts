import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL(".", import.meta.url);

/**
 * Installs the packages of one workspace of this folder, unless they are installed.
 *
 * @param workspace - Its path in package.json.
 * @throws Error if npm fails.
 */
export function installWorkspace(workspace: string): void {
  if (isInstalled(new URL(`${workspace}/node_modules/`, folder))) return;
  execFileSync("npm", ["ci", "--workspace", workspace, "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: fileURLToPath(folder),
    stdio: ["ignore", 2, 2],
    // On Windows, npm is a script that only a shell can start.
    shell: process.platform === "win32",
  });
}

/** Whether packages are there, and as new as the lock file. The installation of another workspace leaves an empty folder. */
function isInstalled(packages: URL): boolean {
  if (!existsSync(packages) || readdirSync(packages).length === 0) return false;
  return statSync(packages).mtimeMs > statSync(new URL("package-lock.json", folder)).mtimeMs;
}

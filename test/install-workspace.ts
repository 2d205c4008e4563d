import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL(".", import.meta.url);

/**
 * Installs the packages of one workspace of this folder, unless they are installed.
 *
 * @param workspace - Its path in package.json.
 * @throws Error if npm fails.
 */
export function installWorkspace(workspace: string): void {
  if (changedAt(`${workspace}/node_modules`) > changedAt("package-lock.json")) return;
  execFileSync("npm", ["ci", "--workspace", workspace, "--no-audit", "--no-fund", "--ignore-scripts"], {
    cwd: fileURLToPath(folder),
    stdio: ["ignore", 2, 2],
    // On Windows, npm is a script that only a shell can start.
    shell: process.platform === "win32",
  });
}

function changedAt(path: string): number {
  return statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

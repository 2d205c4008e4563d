import { spawnSync } from "node:child_process";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL(".", import.meta.url);
const writtenAt = (path) => statSync(new URL(path, folder), { throwIfNoEntry: false })?.mtimeMs ?? 0;

/**
 * Installs what one workspace of this folder needs, unless it is there already; ends the process where that fails.
 *
 * @param {string} workspace - Its path in package.json.
 */
export function installWorkspace(workspace) {
  if (writtenAt(`${workspace}/node_modules`) > writtenAt("package-lock.json")) return;
  const args = ["ci", "--workspace", workspace, "--no-audit", "--no-fund"];
  // npm is a script on Windows, which only its shell starts.
  const options = { cwd: fileURLToPath(folder), stdio: ["ignore", 2, 2], shell: process.platform === "win32" };
  const { status } = spawnSync("npm", args, options);
  if (status !== 0) process.exit(1);
}

/**
 * Gives each file of the package the mode that a clone has by default: npm packs the modes of the files, which depend on
 * the umask of the machine. Part of `npm run prepack`.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";

const root = new URL("../", import.meta.url);
const { bin } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));
const commands: readonly string[] = Object.values(bin);

// On Windows, npm is a script that only a shell can start.
const shell = process.platform === "win32";
const list = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
  cwd: root,
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
  shell,
});
const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(list);
for (const { path } of files) chmodSync(new URL(path, root), commands.includes(path) ? 0o755 : 0o644);

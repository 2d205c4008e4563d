import { execFileSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const at = (path: string) => fileURLToPath(new URL(`packages/${path}`, import.meta.url));

/** Installs the frameworks and test runners of the guides and examples, and axe, unless they are installed. */
export default function install(): void {
  const [lock, installed] = [at("package-lock.json"), at("node_modules/.package-lock.json")];
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const options = ["--include=dev", "--no-audit", "--no-fund", "--ignore-scripts"];
  execFileSync("npm", ["ci", ...options], {
    cwd: at("."),
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
  });
}

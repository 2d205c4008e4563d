/**
 * Checks the workflows for weaknesses with zizmor (https://docs.zizmor.sh): an installed one, else one from PyPI in a
 * virtual environment. Without Python or PyPI it prints a note, and passes except on GitHub.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const VERSION = "1.32.0";
const root = fileURLToPath(new URL("..", import.meta.url));
const environment = `${root}node_modules/.cache/zizmor-${VERSION}`;
const bin = `${environment}/${process.platform === "win32" ? "Scripts" : "bin"}/zizmor`;

const command = spawnSync("zizmor", ["--version"]).status === 0 ? "zizmor" : install();
if (command) {
  const { status } = spawnSync(command, ["--offline", "--persona=pedantic", ".github"], {
    cwd: root,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
} else {
  console.log("zizmor could not be installed here: the workflows were not checked.");
  if (process.env.GITHUB_ACTIONS) process.exitCode = 1;
}

function install(): string | undefined {
  const python = process.platform === "win32" ? "python" : "python3";
  try {
    if (!existsSync(environment)) execFileSync(python, ["-m", "venv", environment], { stdio: "ignore" });
    execFileSync(`${bin.slice(0, -"zizmor".length)}pip`, ["install", "--quiet", `zizmor==${VERSION}`], {
      stdio: "ignore",
    });
    return bin;
  } catch {
    return undefined;
  }
}

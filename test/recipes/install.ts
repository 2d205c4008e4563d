import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { run } from "../package/run.ts";

/**
 * Copies an example to a separate folder and installs it there, by its lock file and with the packed package.
 *
 * @param name - The name of the folder.
 * @returns its path.
 */
export async function install(example: string, name = example): Promise<string> {
  const source = fileURLToPath(new URL(`../../examples/${example}`, import.meta.url));
  const copy = join(inject("packed").folder, name);
  await cp(source, copy, { recursive: true, filter: (path) => !leftOvers.has(basename(path)) });
  if (existsSync(join(copy, "package-lock.json"))) await npm(copy, "ci");
  await installPackage(copy);
  return copy;
}

/** Installs the packed package in a folder. */
export async function installPackage(folder: string): Promise<void> {
  await npm(folder, "install", "--no-save", "--prefer-offline", inject("packed").tarball);
}

/** Files that a run in the clone itself may have left there. */
const leftOvers = new Set(["node_modules", "dist", "test-results", "mockServiceWorker.js"]);

function npm(folder: string, ...args: string[]): Promise<string> {
  return run(folder, "npm", [...args, "--no-audit", "--no-fund", "--ignore-scripts"]);
}

import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { packages } from "../install-packages.ts";
import { run } from "../package/run.ts";

const at = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/**
 * Copies an example to a separate folder, with the packed package and, by links, the packages of the guides.
 *
 * @param name - The name of the folder.
 * @returns its path.
 */
export async function install(example: string, name = example): Promise<string> {
  const copy = join(inject("packed").folder, name);
  await cp(at(`examples/${example}`), copy, { recursive: true, filter: (path) => !leftOvers.has(basename(path)) });
  const modules = join(copy, "node_modules");
  const own = join(modules, "plant-store-client");
  await mkdir(own, { recursive: true });
  await run(copy, "tar", ["-xzf", inject("packed").tarball, "-C", own, "--strip-components", "1"]);
  for (const entry of await readdir(packages)) await symlink(join(packages, entry), join(modules, entry), "junction");
  await symlink(at("node_modules/openapi-fetch"), join(modules, "openapi-fetch"), "junction");
  return copy;
}

/** Installs the packed package in a folder. */
export async function installPackage(folder: string): Promise<void> {
  const options = ["--no-save", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
  await run(folder, "npm", ["install", ...options, inject("packed").tarball]);
}

/** Files that a run in the clone itself may have left there. */
const leftOvers = new Set(["node_modules", "dist", "test-results", "mockServiceWorker.js"]);

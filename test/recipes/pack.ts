import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import installPackages from "../install-packages.ts";
import { run } from "../package/run.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package, and a folder for copies of the recipes. */
    packed: { readonly tarball: string; readonly folder: string };
  }
}

/** Packs the package once, as the step `build` has built it, and installs the packages of the guides. */
export default async function pack(project: TestProject): Promise<() => Promise<void>> {
  installPackages();
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const folder = await realpath(await mkdtemp(join(tmpdir(), "recipes-")));
  const printed = await run(root, "npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
  const [{ filename }] = JSON.parse(printed);
  project.provide("packed", { tarball: join(folder, filename), folder });
  return () => rm(folder, { recursive: true, force: true });
}

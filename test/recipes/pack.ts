import type { TestProject } from "vitest/node";
import { pack } from "../package/pack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The packed package, and a folder for copies of the recipes. */
    packed: { readonly tarball: string; readonly folder: string };
  }
}

/** Packs the package once for all recipes. */
export default async function providePacked(project: TestProject): Promise<() => Promise<void>> {
  const { tarball, folder, remove } = await pack();
  project.provide("packed", { tarball, folder });
  return remove;
}

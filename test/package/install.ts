import { cp, mkdir, readdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { packages } from "../install-packages.ts";
import { pack } from "./pack.ts";
import { run } from "./run.ts";

/** The packed package, and the folders in which it is installed. */
export interface Installed {
  readonly tarball: string;
  /** The files that `npm pack` put into it. */
  readonly files: readonly string[];
  /** Bytes of the tarball, and of the files in it. */
  readonly size: number;
  readonly unpackedSize: number;
  /** A project with the package and nothing else. */
  readonly bare: string;
  /** A project with the package, its optional peers, compilers and bundlers. */
  readonly full: string;
}

/** The peers, compilers and bundlers. */
const PACKAGES = [
  ...["msw", "undici", "@types/node"],
  ...["typescript-5.4", "typescript-5.9", "typescript-6.0", "typescript-7.0"],
  ...["esbuild", "rollup", "@rollup/plugin-node-resolve", "vite", "webpack"],
];

declare module "vitest" {
  interface ProvidedContext {
    installed: Installed;
  }
}

/** Packs the package once, and installs it into both projects. */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const { folder, tarball, files, size, unpackedSize, remove } = await pack();
  const installed: Installed = {
    ...{ tarball, size, unpackedSize },
    files: files.map(({ path }: { path: string }) => path).sort(),
    bare: join(folder, "bare"),
    full: join(folder, "full"),
  };

  for (const place of [installed.bare, installed.full]) {
    await mkdir(place, { recursive: true });
    for (const fixture of await readdir(join(here, "fixtures")))
      await cp(join(here, "fixtures", fixture), join(place, fixture));
  }
  const options = ["--no-audit", "--no-fund", "--prefer-offline"];
  await run(installed.bare, "npm", ["install", ...options, installed.tarball]);
  // `tsc --init` takes its files for ES modules.
  await writeFile(join(installed.full, "package.json"), '{ "type": "module" }');
  const modules = join(installed.full, "node_modules");
  await cp(join(installed.bare, "node_modules"), modules, { recursive: true });
  for (const name of PACKAGES) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(packages, name), join(modules, name), "junction");
  }

  project.provide("installed", installed);
  return remove;
}

import { cp, mkdir, mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { run } from "./run.ts";

/** Where the packed package is, and the folders that it is installed in. */
export interface Installed {
  readonly tarball: string;
  /** What `npm pack` put into it. */
  readonly files: readonly string[];
  /** Bytes of the tarball, and of the files in it. */
  readonly size: number;
  readonly unpackedSize: number;
  /** A project with the package and nothing else. */
  readonly bare: string;
  /** A project with the package, its optional peers, compilers and bundlers. */
  readonly full: string;
}

declare module "vitest" {
  interface ProvidedContext {
    installed: Installed;
  }
}

/** Packs the package once (npm builds it first) and installs it into both projects. */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const folder = await realpath(await mkdtemp(join(tmpdir(), "package-")));
  const packed = await run(join(here, "../.."), "npm", ["pack", "--json", "--pack-destination", folder]);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(packed.slice(packed.indexOf("[\n")));
  const installed: Installed = {
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path).sort(),
    size,
    unpackedSize,
    bare: join(folder, "bare"),
    full: join(folder, "full"),
  };

  for (const place of [installed.bare, installed.full]) {
    await mkdir(place);
    for (const fixture of await readdir(join(here, "fixtures")))
      await cp(join(here, "fixtures", fixture), join(place, fixture));
  }
  for (const file of ["package.json", "package-lock.json"]) await cp(join(here, file), join(installed.full, file));
  await run(installed.full, "npm", ["ci", "--no-audit", "--no-fund"]);
  for (const place of [installed.bare, installed.full]) {
    await run(place, "npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", installed.tarball]);
  }

  project.provide("installed", installed);
  return () => rm(folder, { recursive: true, force: true });
}

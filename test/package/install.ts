import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
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

declare module "vitest" {
  interface ProvidedContext {
    installed: Installed;
  }
}

/** Packs the package as the step `build` has built it, once, and installs it into both projects. */
export default async function install(project: TestProject): Promise<() => Promise<void>> {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const folder = await realpath(await mkdtemp(join(tmpdir(), "package-")));
  const packed = await run(join(here, "../.."), "npm", [
    "pack",
    "--json",
    "--ignore-scripts",
    "--pack-destination",
    folder,
  ]);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(packed);
  const installed: Installed = {
    tarball: join(folder, filename),
    files: files.map(({ path }: { path: string }) => path).sort(),
    size,
    unpackedSize,
    bare: join(folder, "bare"),
    full: join(folder, "test/package"),
  };

  for (const place of [installed.bare, installed.full]) {
    await mkdir(place, { recursive: true });
    for (const fixture of await readdir(join(here, "fixtures")))
      await cp(join(here, "fixtures", fixture), join(place, fixture));
  }
  const workspaces = join(installed.full, "..");
  await copyWorkspaces(join(here, ".."), workspaces);
  await run(workspaces, "npm", ["ci", "--workspace", "package", "--no-audit", "--no-fund"]);
  const options = ["--no-audit", "--no-fund", "--prefer-offline"];
  await run(installed.bare, "npm", ["install", ...options, installed.tarball]);
  await cp(join(installed.bare, "node_modules"), join(installed.full, "node_modules"), { recursive: true });

  project.provide("installed", installed);
  return () => rm(folder, { recursive: true, force: true });
}

/** Copies the files of the test folder that npm reads: the shared lock file fixes the versions of a workspace. */
async function copyWorkspaces(from: string, to: string): Promise<void> {
  const { workspaces } = JSON.parse(await readFile(join(from, "package.json"), "utf8"));
  const manifests = workspaces.map((workspace: string) => join(workspace, "package.json"));
  for (const file of [".npmrc", "package.json", "package-lock.json", ...manifests]) {
    await cp(join(from, file), join(to, file), { recursive: true });
  }
}

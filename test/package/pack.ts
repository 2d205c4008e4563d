import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import installPackages from "../install-packages.ts";
import { run } from "./run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Packs the package as the step `build` has built it, into a new folder, and installs the packages of the tests. */
export async function pack() {
  installPackages();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "package-")));
  const printed = await run(root, "npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
  const [{ filename, files, size, unpackedSize }] = JSON.parse(printed);
  const remove = () => rm(folder, { recursive: true, force: true });
  return { folder, tarball: join(folder, filename), files, size, unpackedSize, remove };
}

import { chmod, cp, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { run } from "./run.ts";

const { tarball } = inject("installed");
const root = fileURLToPath(new URL("../..", import.meta.url));

test("the tarball is identical if it is built in another folder, by somebody with another umask", async () => {
  const folder = await mkdtemp(join(tmpdir(), "another-folder-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const umask = process.umask(0o077);
  onTestFinished(() => void process.umask(umask));
  const tracked = await run(root, "git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
  for (const path of tracked.split("\0").filter(Boolean)) {
    await cp(join(root, path), join(folder, path));
    await chmod(join(folder, path), 0o600);
  }
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");

  await run(folder, "npm", ["pack"]);

  const other = await readFile(join(folder, basename(tarball)));
  expect(other.equals(await readFile(tarball))).toBe(true);
});

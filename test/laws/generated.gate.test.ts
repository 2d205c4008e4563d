import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("a change of openapi.yaml fails the check until the types are generated again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "generated-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  for (const path of ["package.json", "scripts/generate.ts", "src", "mock"]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
  const contract = await readFile(join(root, "openapi.yaml"), "utf8");
  await writeFile(join(folder, "openapi.yaml"), contract.replace("Numeric error value", "Another text"));
  const generate = (...flags: string[]) =>
    promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/generate.ts", ...flags], { cwd: folder });

  await expect(generate("--check")).rejects.toThrow("src/contract/openapi.ts is stale");
  await generate();
  expect(await readFile(join(folder, "src/contract/openapi.ts"), "utf8")).toContain("Another text");
  await generate("--check");
});

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Modules that are programs too. One that does not know its own path does nothing, and succeeds.
test.each([
  { program: "scripts/gate.ts", args: ["lnit"], prints: "There is no step lnit" },
  { program: "scripts/phrases.ts", args: ["missing.md"], prints: "no such file or directory, open 'missing.md'" },
  { program: "bench/docs.mjs", args: ["--check"], prints: "files are up to date" },
])("$program runs in a folder that is a link", ({ program, args, prints }) => {
  const folder = mkdtempSync(join(tmpdir(), "linked-folder-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = join(folder, "repository");
  symlinkSync(root, link, "junction");
  const command = ["--import", "tsx", join(link, program), ...args];
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: "utf8" });
  expect(stdout + stderr).toContain(prints);
});

import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../package/run.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NOT_SOURCES = /[\\/](?:\.git|node_modules|dist|coverage|reports|\.stryker-tmp)$/;

/** A copy of the project in a folder of that name. */
function copyTo(name: string): string {
  const parent = mkdtempSync(join(tmpdir(), "folder-names-"));
  onTestFinished(() => rmSync(parent, { recursive: true }));
  const folder = join(parent, name);
  cpSync(root, folder, { recursive: true, filter: (path) => !NOT_SOURCES.test(path) });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  return folder;
}

test.each(["plants#1", "plants%20", "100%"])(
  "Vitest explains that no test can run in a folder named %s",
  async (name) => {
    const vitest = ["node_modules/vitest/vitest.mjs", "run", "test/laws/tables.test.ts"];
    const [character] = /[#%]/.exec(name) ?? [];
    await expect(run(copyTo(name), process.execPath, vitest)).rejects.toThrow(
      `no test can run in a folder whose path contains "${character}": rename`,
    );
  },
);

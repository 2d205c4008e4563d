import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { blocksOf } from "../docs/blocks.ts";
import { findProgram, inSearchPath } from "../find-program.ts";
import { execute } from "../package/run.ts";
import { installPackage } from "./install.ts";

const install = "install python3 and pytest, e.g. with the package manager of the system";
const variable = "PLANT_STORE_TEST_PYTHON";
const found = findProgram({ name: "python3", variable, install, places: inSearchPath("python3") });
const hasPytest = found !== undefined && spawnSync(found, ["-c", "import pytest"]).status === 0;
if (!hasPytest) console.warn(`No python3 with pytest: its guide is not tried. To include it, ${install}.`);

test.skipIf(!hasPytest).concurrent("the tests of the guide pass in Python", async () => {
  const blocks = blocksOf("docs/other-languages.md");
  expect(blocks.map(({ content }) => content)).toContain("pip install pytest\npython3 -m pytest\n");

  const folder = join(inject("packed").folder, "python");
  await mkdir(folder);
  await installPackage(folder);
  for (const { content } of blocks.filter(({ language }) => language === "python")) {
    const [, name = ""] = /^# (\S+)\n/.exec(content) ?? [];
    await writeFile(join(folder, name), content);
  }
  const { stdout } = await execute(folder, found as string, ["-m", "pytest"]);
  expect(stdout).toMatch(/\b2 passed\b/);
});

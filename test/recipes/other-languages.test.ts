import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { type Block, blocksOf } from "../docs/blocks.ts";
import { findProgram, inSearchPath } from "../find-program.ts";
import { execute } from "../package/run.ts";
import { installPackage } from "./install.ts";

const guide = blocksOf("docs/other-languages.md");

interface Language {
  /** As the guide marks its blocks. */
  readonly language: string;
  readonly program: string;
  readonly variable: string;
  /** The commands of the guide that run its test, without their comments. */
  readonly commands: readonly string[];
  readonly prints: RegExp;
}

const languages: readonly Language[] = [
  {
    language: "python",
    program: "python3",
    variable: "PLANT_STORE_TEST_PYTHON",
    commands: ["pip install pytest", "python3 -m pytest"],
    prints: /\b2 passed\b/,
  },
  {
    language: "go",
    program: "go",
    variable: "PLANT_STORE_TEST_GO",
    commands: ["go mod init plants", "go test ./..."],
    prints: /^ok\s+plants\b/m,
  },
];

for (const { language, program, variable, commands, prints } of languages) {
  const install = `install ${program}${language === "python" ? " and pytest" : ""}, e.g. with the package manager of the system`;
  const found = findProgram({ name: program, variable, install, places: inSearchPath(program) });
  const path = found !== undefined && language === "python" && !hasPytest(found) ? undefined : found;
  if (path === undefined) console.warn(`No ${program}: its guide is not tried. To include it, ${install}.`);

  test.skipIf(path === undefined).concurrent(`the test of the guide passes in ${language}`, async () => {
    const files = guide.filter((block) => block.language === language);
    expect(withoutComments(guide[guide.indexOf(files.at(-1) as Block) + 1])).toEqual(commands);

    const folder = join(inject("packed").folder, language);
    await mkdir(folder);
    await installPackage(folder);
    for (const { content } of files) await writeFile(join(folder, fileName(content)), content);
    let printed = "";
    const run = commands.map((command) => command.split(" ")).filter(([name]) => name === program);
    for (const [, ...args] of run) {
      const { stdout, stderr } = await execute(folder, path as string, args);
      printed += stdout + stderr;
    }
    expect(printed).toMatch(prints);
  });
}

function hasPytest(python: string): boolean {
  return spawnSync(python, ["-c", "import pytest"]).status === 0;
}

/** The name that the first line of a block gives its file. */
function fileName(code: string): string {
  return /^(?:#|\/\/) (\S+)\n/.exec(code)?.[1] as string;
}

function withoutComments(block: Block | undefined): string[] | undefined {
  return block?.content
    .trim()
    .split("\n")
    .map((line) => line.replace(/ #.*/, ""));
}

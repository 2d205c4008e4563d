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
    commands: ["python3 -m unittest"],
    prints: /^Ran 2 tests .*^OK$/ms,
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
  const install = `install ${program}, e.g. with the package manager of the system`;
  const path = findProgram({ name: program, variable, install, places: (machine) => inSearchPath([program], machine) });
  if (path === undefined) console.warn(`No ${program}: its guide is not tried. To include it, ${install}.`);

  test.skipIf(path === undefined).concurrent(`the test of the guide passes in ${language}`, async () => {
    const at = guide.findIndex((block) => block.language === language);
    const { content } = guide[at] as Block;
    expect(withoutComments(guide[at + 1])).toEqual(commands);

    const folder = join(inject("packed").folder, language);
    await mkdir(folder);
    await installPackage(folder);
    await writeFile(join(folder, fileName(content)), content);
    let printed = "";
    for (const [, ...args] of commands.map((command) => command.split(" "))) {
      const { stdout, stderr } = await execute(folder, path as string, args);
      printed += stdout + stderr;
    }
    expect(printed).toMatch(prints);
  });
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

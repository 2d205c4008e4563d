import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import ts from "typescript";
import packageJson from "../../package.json" with { type: "json" };
import { importsOf, programsOf as programsIn } from "../../site/programs.ts";
import { absolute, type Block, blocksOf, filesIn } from "./blocks.ts";

/** Every page with code that people paste. */
export function pages(): string[] {
  return ["README.md", "site/index.md", ...filesIn("docs", ".md")];
}

/** A program of a page: one block, or several that build on each other, exactly as the page prints them. */
export interface Program {
  readonly page: string;
  /** The name that its first line gives it (`// plants.test.ts`), else one by its number on the page. */
  readonly file: string;
  /** Each line is at the place where the page has it, so that an error names the line of the page. */
  readonly code: string;
  /** The packages that it imports. */
  readonly packages: ReadonlySet<string>;
}

const FILE_NAME = /^(?:\/\/|<!--) ([\w./-]+\.(?:[cm]?[jt]s|[jt]sx|vue))(?: -->)?\n/;

/** The programs of a page. */
export function programsOf(page: string): Program[] {
  const blocks = blocksOf(page).filter(({ language }) => /^(ts|tsx|js|jsx|mjs|cjs|vue)$/.test(language));
  return programsIn(blocks).map((program, index) => {
    const [first] = program;
    const [, file] = FILE_NAME.exec(first?.content ?? "") ?? [];
    const code = joinBlocks(program);
    const packages = new Set(importsOf(code).filter((name) => !name.startsWith(".")));
    return { page, file: file ?? `program-${index + 1}.${first?.language}`, code, packages };
  });
}

function joinBlocks(blocks: readonly Block[]): string {
  let code = "";
  for (const block of blocks) code += "\n".repeat(block.line - (code.split("\n").length - 1)) + block.content;
  return code;
}

/** The test runner that a program is written for; `undefined` is a program that is simply run. */
export function runnerOf({ packages }: Program): string | undefined {
  const runners = ["@playwright/test", "@jest/globals", "node:test", "vitest/browser", "vitest"];
  return runners.find((name) => packages.has(name));
}

const packages = [
  "plant-store-client",
  ...Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies }),
];

/** Whether a program needs only what the repository itself has. The others run in `projects.spec.ts`. */
export function runsInRepository(program: Program): boolean {
  const isThere = (name: string) => name.startsWith("node:") || packages.includes(name.split("/", 1)[0] as string);
  return [undefined, "vitest"].includes(runnerOf(program)) && [...program.packages].every(isThere);
}

/** A folder with programs in it, and the packages that they may import. */
export interface ProgramFolder {
  folderOf(page: string): string;
  pathOf(program: Program): string;
  remove(): void;
}

/** Writes programs to a temporary folder, with one project per page. */
export function writePrograms(programs: readonly Program[], nodeModules: string): ProgramFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "guides-")));
  const folderOf = (page: string) => join(path, page.replace(/^docs\/|\.md$/g, ""));
  const pathOf = ({ page, file }: Program) => join(folderOf(page), file);
  for (const page of new Set(programs.map((program) => program.page))) {
    linkModules(nodeModules, join(folderOf(page), "node_modules"));
    writeFileSync(join(folderOf(page), "package.json"), '{ "type": "module" }');
  }
  for (const program of programs) {
    mkdirSync(dirname(pathOf(program)), { recursive: true });
    writeFileSync(pathOf(program), program.code);
  }
  return { folderOf, pathOf, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Installs, by links, the packages of a folder and this one. */
function linkModules(from: string, to: string): void {
  mkdirSync(join(to, ".bin"), { recursive: true });
  for (const name of readdirSync(from).filter((entry) => !entry.startsWith("."))) {
    symlinkSync(join(from, name), join(to, name), "junction");
  }
  symlinkSync(absolute(""), join(to, "plant-store-client"), "junction");
  if (process.platform !== "win32") symlinkSync(absolute("dist/cli.js"), join(to, ".bin/plant-store-mock"));
}

/** The output that the comments after `console.log` state. */
export function claimsOf({ code }: Program): string[] {
  return Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, text = ""]) => text);
}

/** The compiler's errors in the programs, in the strict mode of this repository. */
export function typeErrors(paths: readonly string[], configFile: string): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
  const { options } = ts.getParsedCommandLineOfConfigFile(configFile, {}, host) ?? {};
  // One copy of MSW, because its classes have protected members.
  const oneCopy = { msw: [absolute("node_modules/msw")], "msw/node": [absolute("node_modules/msw/node")] };
  const own = { jsx: ts.JsxEmit.ReactJSX, noEmit: true, paths: oneCopy };
  const program = ts.createProgram(paths, { ...options, ...own });
  return ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file ? ts.getLineAndCharacterOfPosition(file, start).line + 1 : 0;
    return `${file?.fileName}:${line}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

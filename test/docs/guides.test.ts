import { pathToFileURL } from "node:url";
import { formatWithOptions } from "node:util";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { absolute, filesIn, read } from "./blocks.ts";
import { claimsOf, type Program, pages, programsOf, runnerOf, runsInRepository, writePrograms } from "./programs.ts";

// The other programs of llms.txt need a service.
const [, tested] = programsOf("llms.txt");
const programs = [...pages().flatMap(programsOf), tested as Program].filter(runsInRepository);
const tests = programs.filter((program) => runnerOf(program) === "vitest");
const folder = writePrograms(programs, absolute("node_modules"));
afterAll(() => folder.remove());

describe("the code of the guides", () => {
  const plain = programs.filter((program) => !tests.includes(program));
  it.each(plain)("$page, $file: runs, and its output is that of its comments", async (program) => {
    const printed = await run(folder.pathOf(program));
    const claims = claimsOf(program);
    expect(printed.filter((line) => claims.includes(line))).toEqual(claims);
  });

  // The examples of the reference, which the documentation comments include.
  it.each(filesIn("docs/code", ".ts").filter((path) => /^docs\/code\/[^/]+$/.test(path)))("%s runs", async (path) => {
    await run(absolute(path));
  });
});

it("docs/code has no file that no documentation comment includes", () => {
  const comments = [...filesIn("src", ".ts"), ...filesIn("mock", ".ts")].map(read).join("");
  expect(filesIn("docs/code", ".ts").filter((path) => !comments.includes(`/${path}`))).toEqual([]);
});

// The tests of the guides, and those that documentation comments include, are run as tests, each file with its own hooks.
const included = filesIn("docs/code/testing", ".ts").filter((path) => !path.endsWith("browser.ts"));
for (const [name, path] of [
  ...tests.map((program) => [`${program.page}, ${program.file}`, folder.pathOf(program)] as const),
  ...included.map((path) => [path, absolute(path)] as const),
]) {
  describe(name, async () => {
    await import(/* @vite-ignore */ pathToFileURL(path).href);
  });
}

/** Runs a program in this process and returns its output. */
async function run(path: string): Promise<string[]> {
  const printed: string[] = [];
  vi.spyOn(console, "log").mockImplementation((...values) => printed.push(formatWithOptions({}, ...values)));
  await import(/* @vite-ignore */ pathToFileURL(path).href);
  return printed;
}

afterEach(() => vi.restoreAllMocks());

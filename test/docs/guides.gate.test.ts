import { afterAll, expect, it } from "vitest";
import { absolute } from "./blocks.ts";
import { pages, programsOf, runsInRepository, typeErrors, writePrograms } from "./programs.ts";

const programs = [...pages(), "llms.txt"].flatMap(programsOf).filter(runsInRepository);
const folder = writePrograms(programs, absolute("node_modules"));
afterAll(() => folder.remove());

it("the code of the guides compiles in the strict mode of this repository", () => {
  const typed = programs.filter(({ file }) => /\.tsx?$/.test(file)).map(folder.pathOf);
  expect(typed).not.toEqual([]);
  expect(typeErrors(typed, absolute("tsconfig.json"))).toEqual([]);
});

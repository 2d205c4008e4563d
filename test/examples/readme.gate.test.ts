import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root, runProgram } from "./run-program.ts";

let readme: string;
let folder: string;

beforeAll(async () => {
  readme = await readFile(join(root, "README.md"), "utf8");
  folder = await mkdtemp(join(root, "test/examples/.readme-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The README's TypeScript, one block after the other, as one program. */
function program(): string {
  return [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code]) => code).join("\n");
}

test("the README has at most 150 lines", () => {
  expect(readme.split("\n").length).toBeLessThanOrEqual(151);
});

test("its quick start is the example of that name", async () => {
  const quickStart = await readFile(join(root, "examples/quick-start.ts"), "utf8");
  expect(program()).toContain(quickStart);
});

test("its code compiles and, one block after the other, does what it says", async () => {
  const file = join(folder, "readme.ts");
  await writeFile(file, program());
  const config = { extends: join(root, "tsconfig.json"), include: ["readme.ts"] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  await promisify(execFile)(process.execPath, ["node_modules/typescript/bin/tsc", "-p", folder], { cwd: root });

  const { status, stdout } = await runProgram(file);
  expect(stdout.trimEnd().split("\n")).toEqual([
    "created Monstera deliciosa, a climber",
    "created Aloe vera",
    "false true",
    '{"id":9007199254740993,"name":"Wollemia nobilis"}',
  ]);
  expect(status).toBe(0);
});

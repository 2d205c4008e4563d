import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const generated = "src/contract/openapi.ts";

/** A copy of what the generator reads and writes. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "generated-"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  for (const path of ["package.json", "openapi.yaml", "scripts/generate.ts", "src/version.ts"]) {
    await cp(join(root, path), join(folder, path));
  }
  for (const path of ["src/checks", "src/contract", "mock"]) {
    await cp(join(root, path), join(folder, path), { recursive: true });
  }
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function generate(...flags: string[]): Promise<{ code: number; output: string }> {
  const args = ["--import", "tsx", "scripts/generate.ts", ...flags];
  return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }) => ({ code, output: stderr }),
  );
}

const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const page = "mock/http/console/page";

test.each([
  ["openapi.yaml", "Numeric error value", generated],
  ["package.json", version, "src/version.ts"],
  [`${page}/index.html`, 'lang="en"', `${page}-files.ts`],
  [`${page}/base.css`, "--page", `${page}-files.ts`],
  [`${page}/main.ts`, '"GET"', `${page}-files.ts`],
])("the check fails if %s has changed", async (path, text, stale) => {
  const original = await readFile(join(folder, path), "utf8");
  await writeFile(join(folder, path), original.replace(text, "changed"));
  const { code, output } = await generate("--check");
  await writeFile(join(folder, path), original);
  expect([code, output]).toEqual([1, `${stale} is stale: run \`npm run generate\` and commit the result.\n`]);
});

test("the check passes once the files are generated again", async () => {
  expect(await generate("--check")).toMatchObject({ code: 0 });
  const contract = await readFile(join(folder, "openapi.yaml"), "utf8");
  await writeFile(join(folder, "openapi.yaml"), contract.replace("Numeric error value", "Another text"));
  expect(await generate()).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, generated), "utf8")).toContain("Another text");
  expect(await generate("--check")).toMatchObject({ code: 0 });
});

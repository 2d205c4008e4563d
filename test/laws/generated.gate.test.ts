import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
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
  await mkdir(join(folder, "src/contract"), { recursive: true });
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  for (const path of ["package.json", "openapi.yaml", "scripts/generate.ts", generated]) {
    await cp(join(root, path), join(folder, path));
  }
  await cp(join(root, "mock/http/console"), join(folder, "mock/http/console"), { recursive: true });
});

afterAll(() => rm(folder, { recursive: true, force: true }));

function generate(...flags: string[]): Promise<{ code: number; output: string }> {
  const args = ["--import", "tsx", "scripts/generate.ts", ...flags];
  return promisify(execFile)(process.execPath, args, { cwd: folder }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stderr }) => ({ code, output: stderr }),
  );
}

test("the check of the generated types fails if openapi.yaml has changed, and passes once they are generated again", async () => {
  expect(await generate("--check")).toMatchObject({ code: 0 });

  const contract = await readFile(join(folder, "openapi.yaml"), "utf8");
  await writeFile(join(folder, "openapi.yaml"), contract.replaceAll("Numeric error value", "Another text"));
  const stale = await generate("--check");
  expect(stale.code).toBe(1);
  expect(stale.output).toContain("src/contract/openapi.ts is stale: run `npm run generate`");

  expect(await generate()).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, generated), "utf8")).toContain("Another text");
  expect(await generate("--check")).toMatchObject({ code: 0 });
});

test.each(["index.html", "base.css", "console.ts"])(
  "the check of the console's files fails when %s has changed, and passes if it has not",
  async (name) => {
    const path = join(folder, "mock/http/console/page", name);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/--page|lang="en"|"GET"/, "changed"));
    const stale = await generate("--check");
    expect(stale.code).toBe(1);
    expect(stale.output).toContain("mock/http/console/page-files.ts is stale: run `npm run generate`");
    await writeFile(path, text);
    expect(await generate("--check")).toMatchObject({ code: 0 });
  },
);

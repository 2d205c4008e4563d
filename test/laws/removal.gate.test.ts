import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { filesIn } from "../docs/blocks.ts";

// openapi-fetch gets no more updates, not even for security (openapi-ts/openapi-typescript#2874): this is how far it is from
// being replaced.

const root = fileURLToPath(new URL("../..", import.meta.url));
const PACKAGE = "openapi-fetch";

/** The tests of what is sent, and of what is made of each response. */
const TESTS = ["wire", "decode", "other-operation"].map((name) => `test/client/${name}.test.ts`);
const CONFIG = `import { fileURLToPath } from "node:url";
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
export default {
  resolve: { alias: { "#platform": at("src/platform/outside-browsers.ts"), "plant-store-client": at("src/index.ts") } },
  test: { include: ${JSON.stringify(TESTS)} },
};
`;

/** A copy of what the client needs, without openapi-fetch. */
function scratchCopy() {
  const folder = mkdtempSync(join(tmpdir(), "removal-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const shared = ["test/int64-values.ts", "test/rules-in-words.ts", "test/time-limits.ts"];
  for (const path of ["src", "package.json", "tsconfig.json", "test/client/fixtures", ...shared, ...TESTS]) {
    cpSync(join(root, path), join(folder, path), { recursive: true });
  }
  mkdirSync(join(folder, "node_modules"));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== PACKAGE) symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name), "junction");
  }
  writeFileSync(join(folder, "vitest.config.mjs"), CONFIG);
  const changed = new Set<string>();
  const change = (path: string, edit: (text: string) => string) => {
    const text = readFileSync(join(folder, path), "utf8");
    expect(edit(text), `the edit of ${path} changes nothing`).not.toBe(text);
    writeFileSync(join(folder, path), edit(text));
    changed.add(path);
  };
  const add = (path: string, from: string) => {
    cpSync(join(root, from), join(folder, path));
    changed.add(path);
  };
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error) => error);
  return { change, add, changed, run };
}

test("one file imports it, a stub replaces it in three files, which compile, and the tests of the wire pass", async () => {
  const importing = filesIn("src", ".ts").filter((path) =>
    readFileSync(join(root, path), "utf8").includes(`"${PACKAGE}"`),
  );
  expect(importing).toEqual(["src/call/openapi-fetch.ts"]);

  const { change, add, changed, run } = scratchCopy();
  change("package.json", (text) => text.replace(/ *"openapi-fetch": .*\n/, ""));
  change("src/call/openapi-fetch.ts", (text) => text.replaceAll(`"${PACKAGE}"`, '"./http-client.ts"'));
  add("src/call/http-client.ts", "test/laws/removal/stub.ts");
  expect(changed.size).toBeLessThanOrEqual(3);

  const compiled = await run("node_modules/typescript/bin/tsc", "--noEmit", "-p", ".");
  expect(compiled.stdout.split("\n").filter((line: string) => line.startsWith("src/"))).toEqual([]);
  const tested = await run("node_modules/vitest/vitest.mjs", "run", "--reporter=json");
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(tested.stdout);
  expect({ numFailedTests, numFailedTestSuites }).toEqual({ numFailedTests: 0, numFailedTestSuites: 0 });
  expect(numPassedTests).toBeGreaterThan(100);
});

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The files under test/ whose name matches one pattern and whose text the other. */
async function findFiles(name: RegExp, text: RegExp): Promise<string[]> {
  const names = (await readdir(folder, { recursive: true })).filter((path) => !path.includes("node_modules"));
  const files = names.filter((path) => name.test(path));
  expect(files.length).toBeGreaterThan(50);
  const texts = await Promise.all(files.map((path) => readFile(join(folder, path), "utf8")));
  return files.filter((_, index) => text.test(texts[index] as string));
}

/**
 * Vitest restores `process.nextTick` one tick after it has reported progress, on the `process` of that moment. If a test
 * has just removed a stub, that is the worker's own `process`: it loses the function, and the run never ends.
 */
const REPLACED = /stubGlobal\(\s*"(process|navigator|document)"|globalThis\.(process|navigator|document)\s*=[^=]/;

test("no test replaces the process, navigator or document of its worker", async () => {
  expect(await findFiles(/\.(test|spec)\.ts$/, REPLACED)).toEqual([]);
});

test("a test file that replaces modules, or imports a file that does, names the call, and so gets its own worker", async () => {
  const replaces = /\bvi\.(mock|doMock|resetModules)\(/;
  const isolated = await findFiles(/\.test\.ts$/, replaces);
  const imported = (await findFiles(/(?<!\.test)\.ts$/, replaces)).map((path) => basename(path).replace(".", "\\."));
  const importers = await findFiles(/\.ts$/, new RegExp(`/(${imported.join("|")})"`));
  expect(importers.length).toBeGreaterThan(0);
  expect(importers.filter((path) => !isolated.includes(path))).toEqual([]);
});

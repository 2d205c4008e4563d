import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

/** The text of every TypeScript file under test/, by its path. */
const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
  /(?<!node_modules.*)\.ts$/.test(path),
);
const texts = new Map(names.map((path) => [path, readFileSync(join(folder, path), "utf8")]));

/** The files whose name matches one pattern and whose text the other. */
function findFiles(name: RegExp, text: RegExp): string[] {
  const files = names.filter((path) => name.test(path));
  expect(files.length).toBeGreaterThan(50);
  return files.filter((path) => text.test(texts.get(path) as string));
}

/**
 * Vitest restores `process.nextTick` one tick after it has reported progress, on the `process` of that moment. If a test
 * has just removed a stub, that is the worker's own `process`: it loses the function, and the run never ends.
 */
const REPLACED = /stubGlobal\(\s*"(process|navigator|document)"|globalThis\.(process|navigator|document)\s*=[^=]/;

test("no test replaces the process, navigator or document of its worker", () => {
  expect(findFiles(/\.(test|spec)\.ts$/, REPLACED)).toEqual([]);
});

test("a test file that replaces modules, or imports a file that does, names the call, and so gets its own worker", () => {
  const replaces = /\bvi\.(mock|doMock|resetModules)\(/;
  const replacing = findFiles(/\.ts$/, replaces);
  const importers = names.filter((path) => {
    const imports = (texts.get(path) as string).matchAll(/from "(\.[^"]+)"/g);
    return Array.from(imports, ([, file = ""]) => join(dirname(path), file)).some((file) => replacing.includes(file));
  });
  expect(importers.length).toBeGreaterThan(0);
  expect(importers.filter((path) => !replacing.includes(path))).toEqual([]);
});

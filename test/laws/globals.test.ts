import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Vitest restores `process.nextTick` one tick after it has reported progress, on the `process` of that moment. If a test
 * has just removed a stub, that is the worker's own `process`: it loses the function, and the run never ends.
 */
const REPLACED = /stubGlobal\(\s*"(process|navigator|document)"|globalThis\.(process|navigator|document)\s*=[^=]/;

test("no test replaces the process, navigator or document of its worker", async () => {
  const names = await readdir(join(root, "test"), { recursive: true });
  const files = names.filter((name) => /\.(test|spec)\.ts$/.test(name) && !name.includes("node_modules"));
  const texts = await Promise.all(files.map(async (name) => [name, await readFile(join(root, "test", name), "utf8")]));
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter(([, text]) => REPLACED.test(text as string)).map(([name]) => name)).toEqual([]);
});

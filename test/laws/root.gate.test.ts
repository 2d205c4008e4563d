import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const scripts = Object.keys(JSON.parse(read("package.json")).scripts);

test("every script that CONTRIBUTING names is in package.json", () => {
  const named = [...read("CONTRIBUTING.md").matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name);
  expect(named.length).toBeGreaterThan(3);
  expect(named.filter((name = "") => !scripts.includes(name))).toEqual([]);
});

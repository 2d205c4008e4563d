import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
const scripts = Object.keys(JSON.parse(read("package.json")).scripts);

test("CONTRIBUTING explains every script, in the order of package.json", () => {
  const rows = [...read("CONTRIBUTING.md").matchAll(/^\| `npm (?:run )?([\w:]+)` \| .+ \|$/gm)];
  expect(rows.map(([, name]) => name)).toEqual(scripts);
});

test("there are at most 20 scripts", () => {
  expect(scripts.length).toBeLessThanOrEqual(20);
});

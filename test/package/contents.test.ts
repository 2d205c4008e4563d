import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, inject, test } from "vitest";

const { bare, files } = inject("installed");
const root = join(bare, "node_modules/plant-store-client");
const doors = ["index", "undici", "mock/browser", "mock/http", "mock/index", "mock/msw", "mock/node"];

const read = (path: string) => readFile(join(root, path), "utf8");
const code = files.filter((path) => /\.c?js$/.test(path));

describe("the packed package", () => {
  test("holds what belongs into it, and nothing else", () => {
    // Chunks bear the hash of their content: what is reviewed is that they are chunks.
    const known = files.filter((path) => !/^dist\/(chunk-[A-Z0-9]{8}\.c?js|[a-z-]+-[\w-]{8}\.d\.c?ts)$/.test(path));
    expect(known.sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "package.json",
        "openapi.yaml",
        "dist/cli.js",
        ...["undici", "mock/msw", "mock/node"].flatMap((door) => [`dist/guard/${door}.js`, `dist/guard/${door}.cjs`]),
        ...doors.flatMap((door) => ["js", "cjs", "d.ts", "d.cts"].map((ending) => `dist/${door}.${ending}`)),
      ].sort(),
    );
  });

  test("has every file that its exports name", async () => {
    const { exports, bin } = JSON.parse(await read("package.json"));
    // Without "./": npm publish drops a command whose file begins with it.
    expect(bin).toEqual({ "plant-store-mock": "dist/cli.js" });
    const named = JSON.stringify(exports).match(/\.\/[^"]+(?="[^:])/g) ?? [];
    expect(named.map((path) => path.slice(2)).filter((path) => !files.includes(path))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  test("contains no code of another package", async () => {
    const origins = (await Promise.all(code.map(read))).flatMap((text) => text.match(/^\/\/ \S+\.\w+$/gm) ?? []);
    expect(origins.filter((origin) => !/^\/\/ (src|mock)\//.test(origin))).toEqual([]);
    expect(origins).toContain("// src/client.ts");
  });

  test("names no path of the machine that built it", async () => {
    const texts = await Promise.all(files.filter((path) => path !== "LICENSE").map(read));
    expect(texts.filter((text) => text.includes(process.cwd()))).toEqual([]);
  });

  test.each([
    ["index", ["openapi-fetch"]],
    ["undici", ["openapi-fetch", "undici"]],
    ["mock/index", []],
    ["mock/msw", ["msw"]],
    ["mock/browser", ["msw", "msw/browser"]],
    ["mock/node", ["msw", "msw/node"]],
  ])("imports at the door %s at most %j", async (door, packages) => {
    for (const ending of ["js", "cjs"]) {
      expect(packages).toEqual(expect.arrayContaining(await importsOf(`dist/${door}.${ending}`)));
    }
  });

  test("imports at the HTTP door and the command only what Node has, by its full name", async () => {
    for (const path of ["dist/mock/http.js", "dist/mock/http.cjs", "dist/cli.js"]) {
      const imports = await importsOf(path);
      expect(imports).toContain("node:http");
      expect(imports.filter((name) => !name.startsWith("node:"))).toEqual([]);
    }
  });

  test("begins every declaration of the mock with the library that Symbol.dispose needs", async () => {
    const declarations = files.filter((path) => /^dist\/mock\/.*\.d\.c?ts$/.test(path));
    const beginnings = await Promise.all(declarations.map(async (path) => (await read(path)).split("\n")[0]));
    expect(new Set(beginnings)).toEqual(new Set(['/// <reference lib="esnext.disposable" />']));
  });

  test("depends on openapi-fetch alone, and leaves msw and undici to those who want them", async () => {
    const manifest = JSON.parse(await read("package.json"));
    expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch"]);
    expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true }, undici: { optional: true } });
    expect(Object.keys(manifest.scripts)).not.toContain("postinstall");
  });
});

/** Everything from outside that a built file imports, itself or through the package's other files. */
async function importsOf(path: string, seen = new Set<string>()): Promise<string[]> {
  if (seen.has(path)) return [];
  seen.add(path);
  const text = await read(path);
  const specifiers = [...text.matchAll(/(?:\bfrom |\bimport |\bimport\(|\brequire\()["']([^"']+)["']/g)].map(
    ([, name = ""]) => name,
  );
  const found = specifiers.map((name) =>
    name.startsWith(".") ? importsOf(join(path, "..", name).replaceAll("\\", "/"), seen) : [name],
  );
  return [...new Set((await Promise.all(found)).flat())].sort();
}

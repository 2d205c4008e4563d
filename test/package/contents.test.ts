import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";

const { bare, files, size, unpackedSize } = inject("installed");
const root = join(bare, "node_modules/plant-store-client");
const entryPoints = ["index", "undici", "mock/browser", "mock/http", "mock/index", "mock/msw", "mock/node"];

/** What the client imports as `#platform`. */
const platforms = ["platform/browser", "platform/server"];

const read = (path: string) => readFile(join(root, path), "utf8");
const code = files.filter((path) => /\.c?js$/.test(path));

const declarationsOf = (name: string) => join(root, `dist/${name}.d.ts`);
const program = ts.createProgram(entryPoints.map(declarationsOf), { noLib: true, types: [] });
const checker = program.getTypeChecker();

describe("the packed package", () => {
  test("contains only the built code, the guides and the contract", async () => {
    // The names of chunks contain a hash of their content. The command loads those of its own, run and parent, later.
    const chunk = /^dist\/((chunk|run|parent)-[A-Z0-9]{8}\.c?js(\.map)?|[a-z-]+-[\w-]{8}\.d\.c?ts)$/;
    const guides = (await readdir(new URL("../../docs", import.meta.url), { recursive: true }))
      .map((path) => `docs/${path.replaceAll("\\", "/")}`)
      .filter((path) => path.endsWith(".md"));
    const modules = ["js", "js.map", "cjs", "cjs.map"];
    const endings = [...modules, "d.ts", "d.cts"];
    expect(files.filter((path) => !chunk.test(path)).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "package.json",
        "openapi.yaml",
        "dist/cli.js",
        "dist/cli.js.map",
        ...entryPoints.flatMap((name) => endings.map((ending) => `dist/${name}.${ending}`)),
        ...platforms.flatMap((name) => modules.map((ending) => `dist/${name}.${ending}`)),
        ...guides,
      ].sort(),
    );
  });

  test("takes less than 2.87 MB on a user's disk, source maps included, and 780 kB to download", () => {
    expect(unpackedSize).toBeLessThan(2_870_000);
    expect(size).toBeLessThan(780_000);
  });

  test("has every file that its exports name", async () => {
    const { main, types, typesVersions, imports, exports, bin } = JSON.parse(await read("package.json"));
    // Without "./", because npm publish drops a command whose path begins with it.
    expect(bin).toEqual({ "plant-store-mock": "dist/cli.js" });
    const named = JSON.stringify({ main, types, typesVersions, imports, exports }).match(/\.\/[^"]+(?="[^:])/g) ?? [];
    expect(named.map((path) => path.slice(2)).filter((path) => !files.includes(path))).toEqual([]);
    expect(named.length).toBeGreaterThan(30);
  });

  test("links to one repository", async () => {
    const { homepage, repository, bugs, author, keywords } = JSON.parse(await read("package.json"));
    const [, owner, name] = /^git\+https:\/\/github\.com\/([^/]+)\/([^/]+)\.git$/.exec(repository.url) ?? [];
    expect({ homepage, bugs, author }).toEqual({
      homepage: `https://${owner}.github.io/${name}/`,
      bugs: { url: `https://github.com/${owner}/${name}/issues` },
      author: `${owner} (https://github.com/${owner})`,
    });
    expect(keywords).toEqual(expect.arrayContaining(["plant-store", "openapi", "typescript", "mock"]));
  });

  test.each(entryPoints)("has an example for every class and function in the declarations of %s", (name) => {
    const source = program.getSourceFile(declarationsOf(name));
    const module = source && checker.getSymbolAtLocation(source);
    const symbols = module ? checker.getExportsOfModule(module).map(original) : [];
    const explained = symbols.filter(({ flags }) => flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Function));
    expect(explained.length).toBeGreaterThan(0);
    for (const symbol of explained) {
      const tags = symbol.getJsDocTags(checker).filter((tag) => tag.name === "example");
      expect(ts.displayPartsToString(tags[0]?.text), symbol.name).toMatch(/^```ts\n[^{][\s\S]*\n```$/);
    }
  });

  test("contains no code of another package", async () => {
    expect(code.filter((path) => !files.includes(`${path}.map`))).toEqual([]);
    const sourcesOf = async (path: string): Promise<string[]> => {
      const { sources } = JSON.parse(await read(`${path}.map`));
      return sources.map((source: string) => posix.join(posix.dirname(path), source));
    };
    const sources = (await Promise.all(code.map(sourcesOf))).flat();
    expect(sources.filter((source) => !/^(src|mock)\//.test(source))).toEqual([]);
    expect(sources).toContain("src/client.ts");
  });

  test("has the code of every source in its source maps, except that of the console's page", async () => {
    const missing = code.map(async (path) => {
      const { sources, sourcesContent } = JSON.parse(await read(`${path}.map`));
      return sources.filter((_source: string, index: number) => !sourcesContent[index]);
    });
    const names = (await Promise.all(missing)).flat().map((source: string) => posix.basename(source));
    expect(new Set(names)).toEqual(new Set(["page-files.ts"]));
  });

  test("contains no path of the machine that built it", async () => {
    const texts = await Promise.all(files.filter((path) => path !== "LICENSE").map(read));
    expect(texts.filter((text) => text.includes(process.cwd()))).toEqual([]);
  });

  test.each([
    ["index", ["#platform", "openapi-fetch"]],
    ["undici", ["#platform", "undici"]],
    ["platform/browser", []],
    ["platform/server", []],
    ["mock/index", []],
    ["mock/msw", ["msw"]],
    ["mock/browser", ["msw", "msw/browser"]],
    ["mock/node", ["msw", "msw/node"]],
  ])("imports at the entry point %s at most %j", async (name, packages) => {
    for (const ending of ["js", "cjs"]) {
      expect(packages).toEqual(expect.arrayContaining(await importsOf(`dist/${name}.${ending}`)));
    }
  });

  test("imports only Node modules in mock/http and the command, with the node: prefix, and not node:http", async () => {
    for (const path of ["dist/mock/http.js", "dist/mock/http.cjs", "dist/cli.js"]) {
      const imports = await importsOf(path);
      expect(imports).toContain("node:net");
      // It would load the fetch of Node.
      expect(imports).not.toContain("node:http");
      expect(imports.filter((name) => !name.startsWith("node:"))).toEqual([]);
    }
  });

  test("begins every declaration of the mock with the library that Symbol.dispose needs", async () => {
    const declarations = files.filter((path) => /^dist\/mock\/.*\.d\.c?ts$/.test(path));
    const beginnings = await Promise.all(declarations.map(async (path) => (await read(path)).split("\n")[0]));
    expect(new Set(beginnings)).toEqual(new Set(['/// <reference lib="esnext.disposable" />']));
  });

  test("depends only on openapi-fetch; msw and undici are optional", async () => {
    const manifest = JSON.parse(await read("package.json"));
    expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch"]);
    expect(manifest.peerDependenciesMeta).toEqual({ msw: { optional: true }, undici: { optional: true } });
    expect(Object.keys(manifest.scripts)).not.toContain("postinstall");
  });
});

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** Every external module that a built file imports, directly or through other files of the package. */
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

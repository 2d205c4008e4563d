import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import ts from "typescript";
import { describe, expect, inject, test } from "vitest";

const { bare, files, size, unpackedSize } = inject("installed");
const root = join(bare, "node_modules/plant-store-client");
const entryPoints = ["index", "journal", "undici", "mock/browser", "mock/http", "mock/index", "mock/msw", "mock/node"];

/** What the client imports as `#platform`. */
const platforms = ["platform/browser", "platform/outside-browsers"];

const read = (path: string) => readFile(join(root, path), "utf8");
const code = files.filter((path) => /\.c?js$/.test(path));

const declarationsOf = (name: string) => join(root, `dist/${name}.d.ts`);
const program = ts.createProgram(entryPoints.map(declarationsOf), { noLib: true, types: [] });
const checker = program.getTypeChecker();

describe("the packed package", () => {
  test("contains only the built code, the guides and the contract", async () => {
    // The names of chunks contain a hash of their content. The command loads those of its own, run and parent, later.
    const chunk = /^dist\/((chunk|run|parent)-[A-Z0-9]{8}\.(cjs|js|js\.map)|[a-z-]+-[\w-]{8}\.d\.c?ts)$/;
    const modules = ["js", "js.map", "cjs"];
    const endings = [...modules, "d.ts", "d.cts"];
    expect(files.filter((path) => !chunk.test(path) && !path.startsWith("docs/")).sort()).toEqual(
      [
        "CHANGELOG.md",
        "LICENSE",
        "README.md",
        "package.json",
        "openapi.yaml",
        "llms.txt",
        "dist/cli.js",
        "dist/cli.js.map",
        ...entryPoints.flatMap((name) => endings.map((ending) => `dist/${name}.${ending}`)),
        ...platforms.flatMap((name) => modules.map((ending) => `dist/${name}.${ending}`)),
      ].sort(),
    );
  });

  test("contains the guides, without decisions, evidence and architecture", () => {
    const guides = files.filter((path) => path.startsWith("docs/"));
    expect(guides).toEqual(expect.arrayContaining(["docs/README.md", "docs/errors.md", "docs/testing.md"]));
    expect(guides.filter((path) => /decisions|evidence|architecture/.test(path))).toEqual([]);
    expect(guides.filter((path) => !path.endsWith(".md"))).toEqual([]);
  });

  test("has an llms.txt of at most 150 lines that lists every guide", async () => {
    const text = await read("llms.txt");
    expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
    const guides = files.filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
    expect(Array.from(text.matchAll(/^- \[.+\]\((docs\/.+)\): ./gm), ([, path]) => path).sort()).toEqual(guides);
  });

  test("has every file that its pages link to", async () => {
    for (const page of files.filter((path) => path.endsWith(".md") || path === "llms.txt")) {
      const prose = (await read(page)).replace(/^ *```[\s\S]*?^ *```$/gm, "");
      // An image is shown from the repository.
      const links = Array.from(prose.matchAll(/(?<!!\[[^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)/g), ([, link = ""]) => link);
      const lost = links.filter((link) => !files.includes(posix.join(posix.dirname(page), link)));
      expect(lost, page).toEqual([]);
    }
  });

  test("takes at most 1.6 MB on a user's disk, and 420 kB to download", () => {
    expect(unpackedSize).toBeLessThanOrEqual(1_600_000);
    expect(size).toBeLessThanOrEqual(420_000);
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

  test("contains no code of another package, and no copy of the sources in its source maps", async () => {
    const maps = files.filter((path) => path.endsWith(".map"));
    expect(maps).toEqual(code.filter((path) => path.endsWith(".js")).map((path) => `${path}.map`));
    const parsed = await Promise.all(maps.map(async (path) => ({ path, ...JSON.parse(await read(path)) })));
    const sources: string[] = parsed.flatMap(({ path, sources }) =>
      sources.map((source: string) => posix.join(posix.dirname(path), source)),
    );
    expect(sources.filter((source) => !/^(src|mock)\//.test(source))).toEqual([]);
    expect(sources).toContain("src/client.ts");
    expect(parsed.filter(({ sourcesContent = [] }) => sourcesContent.some(Boolean))).toEqual([]);
  });

  test("contains no path of the machine that built it", async () => {
    const texts = await Promise.all(files.filter((path) => path !== "LICENSE").map(read));
    expect(texts.filter((text) => text.includes(process.cwd()))).toEqual([]);
  });

  test.each([
    ["index", ["#platform", "openapi-fetch"]],
    ["journal", ["node:crypto", "node:fs", "node:path", "node:util"]],
    ["undici", ["#platform", "undici"]],
    ["platform/browser", []],
    ["platform/outside-browsers", []],
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
      expect(imports).toContain("node:crypto");
      // It would load the fetch of Node.
      expect(imports).not.toContain("node:http");
      expect(imports.filter((name) => !name.startsWith("node:"))).toEqual([]);
    }
  });

  test("depends only on openapi-fetch, has a command, and msw and undici are optional", async () => {
    const manifest = JSON.parse(await read("package.json"));
    expect(Object.keys(manifest.dependencies)).toEqual(["openapi-fetch"]);
    // Without "./", because npm publish drops a command whose path begins with it.
    expect(manifest.bin).toEqual({ "plant-store-mock": "dist/cli.js" });
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
  const specifier = /(?:\bfrom |\bimport |\bimport\(|\brequire\()["']([^"']+)["']/g;
  const specifiers = [...text.matchAll(specifier)].map(([, name = ""]) => name);
  const found = specifiers.map((name) =>
    name.startsWith(".") ? importsOf(join(path, "..", name).replaceAll("\\", "/"), seen) : [name],
  );
  return [...new Set((await Promise.all(found)).flat())].sort();
}

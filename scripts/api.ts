/**
 * Writes the public surface of every entry point, taken from the built declarations, to `etc/*.api.md`: one report for
 * the client, one for undici, and one for the mock with what its other entry points add. With `--check` it only reports
 * stale files. A reviewed file that loses a line is a breaking change.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url)).replaceAll("\\", "/"); // as TypeScript names files

interface EntryPoint {
  /** As a consumer imports it, e.g. `plant-store-client/mock`. */
  readonly name: string;
  readonly declarations: string;
  /** The mock and what its other entry points add have one report. */
  readonly report: string;
}

const manifest: { name: string; exports: Record<string, string | { import: { types: string } }> } = JSON.parse(
  await readFile(`${root}package.json`, "utf8"),
);
const entryPoints = Object.entries(manifest.exports).flatMap(([path, target]): EntryPoint[] => {
  if (typeof target === "string") return [];
  const name = path.replace(".", manifest.name);
  const [client, half] = name.split("/");
  const report = `etc/${half === undefined ? client : `${client}.${half}`}.api.md`;
  return [{ name, declarations: join(root, target.import.types), report }];
});

const program = ts.createProgram(
  entryPoints.map(({ declarations }) => declarations),
  { target: ts.ScriptTarget.ES2022, moduleResolution: ts.ModuleResolutionKind.Bundler, module: ts.ModuleKind.ESNext },
);
const checker = program.getTypeChecker();
const printer = ts.createPrinter({ removeComments: true });

/** The declarations that a report shows, with their names: none is shown a second time. */
const shown = new Set<string>();

const stale: string[] = [];
for (const path of new Set(entryPoints.map(({ report }) => report))) {
  const sections = entryPoints.filter(({ report }) => report === path).map(section);
  const text = ["Written by `npm run api`. What disappears from here breaks somebody.", ...sections].join("\n\n");
  if ((await readFile(`${root}${path}`, "utf8").catch(() => "")) === `${text}\n`) continue;
  stale.push(path);
  if (!process.argv.includes("--check")) await writeFile(`${root}${path}`, `${text}\n`);
}
if (!process.argv.includes("--check")) {
  console.log(stale.length > 0 ? `Written: ${stale.join(", ")}.` : "The public surface is as reported.");
} else if (stale.length > 0) {
  console.error(`The public surface has changed: run \`npm run api\` after a build, and review ${stale.join(", ")}.`);
  process.exitCode = 1;
}

/** The exported declarations by name, then what they name without exporting it: its change is felt as well. */
function section({ name, declarations }: EntryPoint): string {
  const source = program.getSourceFile(declarations);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${declarations} is missing or empty: run \`npm run build\` first.`);
  const exported = new Map(checker.getExportsOfModule(module).map((symbol) => [symbol.name, original(symbol)]));
  const all = [...exported].map(([exportedName, symbol]) => ({
    name: exportedName,
    text: print(exportedName, symbol),
  }));
  const added = all.filter(({ text }) => isNew(text));
  const repeated = all.filter((declaration) => !added.includes(declaration)).map((declaration) => declaration.name);
  const reached = reachedFrom([...exported.values()]).map((symbol) => print(symbol.name, symbol));
  const addedReached = reached.filter(isNew);
  return [
    `# ${name}`,
    ...(repeated.length === 0
      ? []
      : [`Exports, as shown above or in another report: ${repeated.sort(byCodeUnit).join(", ")}.`]),
    block(added.map(({ text }) => text)),
    ...(addedReached.length === 0 ? [] : ["Reached, not exported:", block(addedReached)]),
  ].join("\n\n");
}

function isNew(text: string): boolean {
  return !shown.has(text) && Boolean(shown.add(text));
}

function block(declarations: string[]): string {
  return ["```ts", declarations.sort(byCodeUnit).join("\n\n"), "```"].join("\n");
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : 1;
}

function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** The declarations of a symbol without their comments; an alias says what it is called inside. */
function print(exportedName: string, symbol: ts.Symbol): string {
  const text = ownDeclarations(symbol).map((node) =>
    printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()),
  );
  const renamed = symbol.name === exportedName ? "" : `// exported as ${exportedName}\n`;
  return renamed + (text.length > 0 ? text.join("\n") : `// ${exportedName}: from another package`);
}

function reachedFrom(exported: ts.Symbol[]): ts.Symbol[] {
  const seen = new Set(exported);
  for (const symbol of seen) {
    for (const declaration of ownDeclarations(symbol)) {
      namedIn(declaration).forEach((other) => void seen.add(other));
    }
  }
  return [...seen].slice(exported.length);
}

/** The symbols with declarations at the top of this package's own files that a declaration names. */
function namedIn(node: ts.Node): ts.Symbol[] {
  const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
  const found = symbol ? [original(symbol)].filter((other) => ownDeclarations(other).length > 0) : [];
  ts.forEachChild(node, (child) => void found.push(...namedIn(child)));
  return found;
}

function ownDeclarations(symbol: ts.Symbol): ts.Node[] {
  return (
    (symbol.declarations ?? [])
      .map((node) => (ts.isVariableDeclaration(node) ? node.parent.parent : node))
      // A module, which an import names, has no parent.
      .filter(
        (node) =>
          node.parent && ts.isSourceFile(node.parent) && node.getSourceFile().fileName.startsWith(`${root}dist/`),
      )
  );
}

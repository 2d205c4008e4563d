import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";
import { filesIn } from "../docs/blocks.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const biome = join(root, "node_modules/@biomejs/biome/bin/biome");

/** The linter's findings on import rules in a tree: severity, rule, file and specifier. */
async function findBreaches(tree: string): Promise<string[]> {
  const only = ["--only=style/noRestrictedImports", "--only=suspicious/noImportCycles"];
  const args = [biome, "lint", ...only, "--reporter=json", "--max-diagnostics=none"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: tree }).catch((error) => error);
  const report: { diagnostics: Diagnostic[] } = JSON.parse(stdout);
  return report.diagnostics.map(({ severity, category, location: { path, start } }) => {
    const line = readFileSync(join(tree, path), "utf8").split("\n")[start.line - 1];
    return `${severity} ${category} ${path.replaceAll("\\", "/")} ${line?.match(/"(.+)"/)?.[1]}`;
  });
}

interface Diagnostic {
  readonly severity: string;
  readonly category: string;
  readonly location: { readonly path: string; readonly start: { readonly line: number } };
}

/** Every way to import. */
const importsOf = (specifier: string) => `import {} from "${specifier}";
import type {} from "${specifier}";
export * from "${specifier}";
await import("${specifier}");
`;

const forbidden: [law: string, file: string, specifier: string][] = [
  ["src/checks imports nothing from outside itself", "src/checks/new.ts", "../errors.ts"],
  ["src/contract imports nothing of the client", "src/contract/new.ts", "../client.ts"],
  ["src/contract imports nothing of the mock", "src/contract/new.ts", "../../mock/index.ts"],
  ["src/contract imports no package", "src/contract/new.ts", "openapi-fetch"],
  ["src/contract imports nothing of Node", "src/contract/new.ts", "node:buffer"],
  ["src does not import mock", "src/new.ts", "../mock/index.ts"],
  ["src does not import mock by its public name", "src/new.ts", "plant-store-client/mock"],
  ["src does not import msw", "src/new.ts", "msw"],
  ["src does not import undici", "src/call/new.ts", "undici"],
  ["src does not import undici through its own entry point", "src/client.ts", "./undici.ts"],
  ["src/call does not import plants", "src/call/new.ts", "../contract/plant.ts"],
  ["src/call imports neither method nor path", "src/call/new.ts", "../contract/operations.ts"],
  ["src/call does not know the generated types", "src/call/exchange.ts", "../contract/openapi.ts"],
  ["src/call does not import an operation", "src/call/new.ts", "../operations/create-plant.ts"],
  ["src/call does not import the client", "src/call/new.ts", "../client.ts"],
  ["src/call does not import the client's options", "src/call/deep/new.ts", "../../options.ts"],
  ["one file of src imports openapi-fetch", "src/call/new.ts", "openapi-fetch"],
  ["an operation does not import openapi-fetch", "src/operations/new.ts", "openapi-fetch"],
  ["src imports what depends on the platform only as #platform", "src/new.ts", "./proof/server.ts"],
  ["src/call imports it only as #platform", "src/call/new.ts", "../proof/node.ts"],
  ["src/proof imports nothing of the call", "src/proof/new.ts", "../call/deadline.ts"],
  ["src/proof imports nothing of the contract", "src/proof/new.ts", "../contract/plant.ts"],
  ["src/proof does not import errors", "src/proof/new.ts", "../errors.ts"],
  ["src/proof imports nothing of Node", "src/proof/new.ts", "node:os"],
  ["src/undici.ts imports it only as #platform", "src/undici.ts", "./proof/dispatch-watch.ts"],
  ["src imports nothing of Node", "src/new.ts", "node:fs"],
  ["src imports no package", "src/new.ts", "@scope/package"],
  ["src/undici.ts does not import msw", "src/undici.ts", "msw"],
  ["src/undici.ts does not import mock", "src/undici.ts", "../mock/index.ts"],
  ["the service does not import the client", "mock/service/service.ts", "../../src/client.ts"],
  ["the service does not import the client by its public name", "mock/service/new.ts", "plant-store-client"],
  ["the service does not import msw", "mock/service/service.ts", "msw"],
  ["the service imports nothing of Node", "mock/service/service.ts", "node:http"],
  ["the service does not import the memory adapter", "mock/service/service.ts", "../memory/fetch.ts"],
  ["no new folder of the service escapes", "mock/service/faults/deep/new.ts", "../../../memory/fetch.ts"],
  ["the service does not import the HTTP adapter", "mock/service/sessions/session.ts", "../../http/start.ts"],
  ["the memory adapter does not import msw", "mock/memory/new.ts", "msw"],
  ["the memory adapter imports nothing of Node", "mock/memory/new.ts", "node:buffer"],
  ["the memory adapter does not import the MSW adapters", "mock/memory/new.ts", "../msw/handlers.ts"],
  ["the simulation does not import the client", "mock/simulation/new.ts", "../../src/client.ts"],
  ["the simulation does not import the HTTP adapter", "mock/simulation/new.ts", "../http/start.ts"],
  ["the MSW adapters do not import the client", "mock/msw/new.ts", "../../src/client.ts"],
  ["the MSW adapters import nothing of Node", "mock/msw/new.ts", "node:http"],
  ["the MSW adapters do not import the HTTP adapter", "mock/msw/new.ts", "../http/start.ts"],
  ["the HTTP adapter does not import the client", "mock/http/new.ts", "../../src/index.ts"],
  ["the HTTP adapter does not import msw", "mock/http/new.ts", "msw"],
  ["the HTTP adapter does not import the MSW adapters", "mock/http/new.ts", "../msw/handlers.ts"],
  ["the HTTP adapter does not import the command", "mock/http/control/routes/new.ts", "../../../cli/run.ts"],
  ["no new folder of the HTTP adapter escapes", "mock/http/control/routes/deep/new.ts", "../../../../msw/handlers.ts"],
  ["the command does not import the MSW adapters", "mock/cli/new.ts", "../msw/handlers.ts"],
  ["the command does not import the client", "mock/cli/new.ts", "../../src/client.ts"],
  ["the command does not import what calibrates", "mock/cli/new.ts", "../calibrate/survey.ts"],
  ["the in-memory adapter does not import what calibrates", "mock/memory/new.ts", "../calibrate/survey.ts"],
  ["the HTTP adapter does not import what calibrates", "mock/http/new.ts", "../calibrate/survey.ts"],
  ["the service does not import what calibrates", "mock/service/new.ts", "../calibrate/survey.ts"],
  ["what calibrates does not import the client", "mock/calibrate/new.ts", "../../src/client.ts"],
  ["what calibrates does not import the HTTP adapter", "mock/calibrate/new.ts", "../http/start.ts"],
  ["the in-memory entry point imports no adapter", "mock/index.ts", "./http/start.ts"],
  ["the MSW entry point does not import msw itself", "mock/msw.ts", "msw"],
  ["the Node entry point does not import the HTTP adapter", "mock/node.ts", "./http/start.ts"],
  ["the HTTP entry point does not import the command", "mock/http.ts", "./cli/run.ts"],
  ["the command's entry point does not import the HTTP adapter", "mock/cli.ts", "./http/start.ts"],
  ["an example does not import the sources", "examples/new.ts", "../src/index.ts"],
  ["an example does not import the mock's sources", "examples/deep/new.ts", "../../mock/index.ts"],
];

const allowed: [file: string, specifier: string][] = [
  ["src/contract/new.ts", "./plant.ts"],
  ["src/new.ts", "./contract/plant.ts"],
  ["src/call/new.ts", "../errors.ts"],
  ["src/call/exchange.ts", "openapi-fetch"],
  ["src/call/new.ts", "./clock.ts"],
  ["src/call/new.ts", "#platform"],
  ["src/call/new.ts", "../contract/error-body.ts"],
  ["src/call/new.ts", "../checks/rules.ts"],
  ["src/operations/new.ts", "../contract/plant.ts"],
  ["src/contract/new.ts", "../checks/rules.ts"],
  ["src/proof/new.ts", "../checks/base-url.ts"],
  ["src/proof/new.ts", "../environment.ts"],
  ["src/create-plants/new.ts", "../call/clock.ts"],
  ["src/undici.ts", "undici"],
  ["mock/index.ts", "./memory/create-mock.ts"],
  ["mock/index.ts", "./service/faults/fault.ts"],
  ["mock/node.ts", "./msw/setup-node.ts"],
  ["mock/http.ts", "./http/remote/connect.ts"],
  ["mock/cli.ts", "node:os"],
  ["mock/cli.ts", "./calibrate/run.ts"],
  ["mock/calibrate/new.ts", "../cli/run.ts"],
  ["mock/calibrate/new.ts", "../memory/create-mock.ts"],
  ["mock/calibrate/new.ts", "../service/assumptions.ts"],
  ["mock/service/new.ts", "../../src/contract/plant.ts"],
  ["mock/service/new.ts", "./faults/fault.ts"],
  ["mock/service/faults/new.ts", "../sessions/journal.ts"],
  ["mock/service/faults/new.ts", "../../../src/contract/plant.ts"],
  ["mock/memory/new.ts", "../service/sessions/session.ts"],
  ["mock/simulation/new.ts", "../memory/create-mock.ts"],
  ["mock/msw/new.ts", "../memory/create-mock.ts"],
  ["mock/msw/new.ts", "msw/node"],
  ["mock/http/new.ts", "./control/control.ts"],
  ["mock/http/control/new.ts", "../../service/faults/fault.ts"],
  ["mock/http/control/routes/new.ts", "../../../../src/contract/plant.ts"],
  ["mock/http/control/new.ts", "node:http"],
  ["mock/cli/new.ts", "../http/http-adapter.ts"],
  ["examples/new.ts", "plant-store-client/mock/node"],
];

describe("the linter", () => {
  let breaches: string[];

  beforeAll(async () => {
    const tree = mkdtempSync(join(tmpdir(), "laws-"));
    const config = JSON.parse(readFileSync(join(root, "biome.json"), "utf8"));
    const files: Record<string, string> = {
      "biome.json": JSON.stringify({ ...config, vcs: undefined, $schema: undefined }),
      "mock/a.ts": 'import type { B } from "./b.ts";\nexport type A = B[];\n',
      "mock/b.ts": 'import type { A } from "./a.ts";\nexport type B = A[];\n',
    };
    for (const [file, specifier] of [...forbidden.map(([, ...row]) => row), ...allowed]) {
      files[file] = `${files[file] ?? ""}${importsOf(specifier)}`;
    }
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    }
    breaches = await findBreaches(tree);
    rmSync(tree, { recursive: true });
  });

  const found = (file: string, specifier: string) =>
    breaches.filter((breach) => breach.endsWith(` lint/style/noRestrictedImports ${file} ${specifier}`));

  test.each(forbidden)("sees to it that %s", (_law, file, specifier) => {
    expect(found(file, specifier)).toEqual(Array(4).fill(`error lint/style/noRestrictedImports ${file} ${specifier}`));
  });

  test.each(allowed)("lets %s import %s", (file, specifier) => {
    expect(found(file, specifier)).toEqual([]);
  });

  test("rejects import cycles, including those of types only", () => {
    expect(breaches).toContain("error lint/suspicious/noImportCycles mock/a.ts ./b.ts");
    expect(breaches).toContain("error lint/suspicious/noImportCycles mock/b.ts ./a.ts");
  });

  test("finds no violation in this repository", async () => {
    expect(await findBreaches(root)).toEqual([]);
  });
});

test.each(["browser", "http", "index", "msw", "node"])(
  "mock/%s.ts re-exports, and has no code of its own",
  async (name) => {
    const path = join(root, `mock/${name}.ts`);
    const { statements } = ts.createSourceFile(path, await readFile(path, "utf8"), ts.ScriptTarget.Latest);
    expect(statements.filter((statement) => !ts.isExportDeclaration(statement))).toEqual([]);
  },
);

test.each(["src", "mock", "examples"])(
  "%s imports files by their shortest path, which the linter matches",
  async (place) => {
    const detours = filesIn(place, ".ts").map(async (path) =>
      detoursIn(path, await readFile(join(root, path), "utf8")),
    );
    expect((await Promise.all(detours)).flat()).toEqual([]);
  },
);

/** The imported paths that lead through a folder and out of it again: the linter compares them as they are written. */
function detoursIn(path: string, text: string): string[] {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
  return specifiers.filter(isDetour).map((specifier) => `${path}: ${specifier}`);
}

function isDetour(specifier: string): boolean {
  const shortest = posix.normalize(specifier);
  return specifier.startsWith(".") && specifier !== (shortest.startsWith(".") ? shortest : `./${shortest}`);
}

test.each(["src", "mock"])("%s reaches for other files in no way that the linter does not see", async (place) => {
  const files = (await readdir(join(root, place), { recursive: true })).filter((path) => path.endsWith(".ts"));
  const unseen = files.map(async (path) => unseenImports(path, await readFile(join(root, place, path), "utf8")));
  const reads = (await Promise.all(unseen)).flat();
  // It reads the version in the package.json of a peer, and no other file.
  expect(reads.filter((read) => !read.startsWith("checks/peer.ts: createRequire"))).toEqual([]);
});

test.each(["import(`./cli/run.ts`)", 'import("./cli" + "/run.ts")'])("such as %s", (code) => {
  expect(unseenImports("new.ts", code)).toHaveLength(1);
});

/** The linter checks neither `import("…")` types, nor `createRequire`, nor a computed `import(…)`. */
function unseenImports(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isRequire = ts.isIdentifier(node) && ["require", "createRequire"].includes(node.text);
    const isComputed =
      ts.isCallExpression(node) &&
      node.expression.kind === ts.SyntaxKind.ImportKeyword &&
      !node.arguments.every(ts.isStringLiteral);
    if (ts.isImportTypeNode(node) || ts.isImportEqualsDeclaration(node) || isRequire || isComputed) {
      found.push(`${path}: ${node.parent.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true));
  return found;
}

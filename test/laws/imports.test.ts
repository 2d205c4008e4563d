import { posix } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { filesIn, read } from "../docs/blocks.ts";

const CALL = [
  "#platform",
  "src/call/",
  "src/checks/",
  "src/contract/error-body.ts",
  "src/config-error.ts",
  "src/errors.ts",
];
const SERVICE = ["mock/service/", "mock/time/", "src/contract/", "src/checks/"];
const MEMORY = ["mock/memory/", ...SERVICE];

/** What files may import, by the beginnings of paths and packages. The first row that a file matches counts. */
const mayImport: readonly [files: string, ...imports: string[]][] = [
  ["src/checks/http/", "src/checks/"],
  ["src/checks/installed/", "src/checks/"],
  ["src/checks/redaction/", "src/checks/"],
  ["src/checks/", "src/checks/describe.ts", "src/checks/objects.ts", "src/checks/rules.ts"],
  ["src/contract/", "src/contract/", "src/checks/"],
  ["src/call/openapi-fetch.ts", "openapi-fetch", ...CALL],
  ["src/call/", ...CALL],
  ["src/platform/", "src/platform/", "src/checks/"],
  ["src/undici.ts", "undici", "#platform", "src/"],
  ["src/journal.ts", "node:crypto", "node:path", "src/"],
  ["src/journal/", "node:fs", "node:util", "src/"],
  ["src/", "#platform", "src/"],
  ["mock/index.ts", "mock/simulation/", ...MEMORY],
  ["mock/msw.ts", "mock/msw/", "mock/service/"],
  ["mock/node.ts", "mock/msw/", "mock/service/"],
  ["mock/browser.ts", "mock/msw/", "mock/service/"],
  ["mock/http.ts", "mock/http/"],
  ["mock/cli.ts", "node:", "mock/cli/", "mock/calibrate/run.ts"],
  ["mock/time/", "mock/time/", "src/checks/"],
  ["mock/service/", ...SERVICE],
  ["mock/memory/", ...MEMORY],
  ["mock/simulation/", "mock/simulation/", ...MEMORY],
  ["mock/msw/", "msw", "mock/msw/", ...MEMORY],
  ["mock/http/", "node:", "mock/http/", ...MEMORY],
  ["mock/cli/", "node:", "mock/cli/", "mock/http/", ...SERVICE],
  ["mock/calibrate/", "node:", "mock/calibrate/", "mock/cli/", ...MEMORY],
  ["examples/", ""],
];

/** What may be imported only from the files named here: what differs between platforms is imported as `#platform`. */
const importedFrom: readonly [imported: string, ...files: string[]][] = [
  ["src/platform/", "src/platform/"],
  ["src/undici.ts"],
  ["src/journal", "src/journal"],
  ["src/", "src/", "mock/"],
  ["mock/", "mock/"],
];

const startsWithOne = (path: string, beginnings: readonly string[]) => beginnings.some((one) => path.startsWith(one));

function importsAllowedIn(file: string): readonly string[] {
  const [, ...imports] = mayImport.find(([files]) => file.startsWith(files)) ?? [];
  return imports;
}

/** Whether a file may import a path of this repository, or a package. */
function isAllowed(file: string, imported: string): boolean {
  const closed = importedFrom.find(([path]) => imported.startsWith(path));
  const isOpen = closed === undefined || startsWithOne(file, closed.slice(1));
  return isOpen && startsWithOne(imported, importsAllowedIn(file));
}

/** What a file imports, types included. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(read(file), true, true);
  return importedFiles.map(({ fileName }) =>
    fileName.startsWith(".") ? posix.join(posix.dirname(file), fileName) : fileName,
  );
}

test.each(["src", "mock", "examples"])("%s imports only what it may", (folder) => {
  const breaches = filesIn(folder, ".ts").flatMap((file) =>
    importsOf(file).flatMap((imported) => (isAllowed(file, imported) ? [] : `${file} imports ${imported}`)),
  );
  expect(breaches).toEqual([]);
});

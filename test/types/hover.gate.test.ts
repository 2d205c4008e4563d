import { readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";
import { absolute } from "../docs/blocks.ts";

/** The documentation that an editor shows for the last name in some code, which begins with the imports of its file. */
function hover(code: string): string {
  const file = absolute("test/types/hover.ts");
  const { config } = ts.readConfigFile(absolute("tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, absolute(""));
  const service = ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(path === file ? code : readFileSync(path, "utf8")),
    getCurrentDirectory: () => absolute(""),
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  return ts.displayPartsToString(service.getQuickInfoAtPosition(file, code.length - 1)?.documentation);
}

test("on the kind of any error, an editor shows what each kind means, once", () => {
  const code =
    'import type { AnyPlantStoreError } from "plant-store-client";\ndeclare const error: AnyPlantStoreError;\nerror.kind';
  const kinds = ["config", "input", "token", "api", "response", "connection", "timeout", "aborted"];
  const lines = hover(code).split("\n");
  expect(lines.map((line) => /^`(\w+)`: .+\.$/.exec(line)?.[1])).toEqual(kinds);
});

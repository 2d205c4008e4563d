import { readFileSync } from "node:fs";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { absolute } from "../docs/blocks.ts";

const FILE = absolute("test/types/hover.ts");
let code = "";
let version = 0;

/** What an editor asks; it is started once, because it reads every type. */
const service = ((): ts.LanguageService => {
  const { config } = ts.readConfigFile(absolute("tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, absolute(""));
  return ts.createLanguageService({
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    getScriptFileNames: () => [FILE],
    getScriptVersion: (path) => (path === FILE ? `${version}` : "1"),
    getScriptSnapshot: (path) => ts.ScriptSnapshot.fromString(path === FILE ? code : readFileSync(path, "utf8")),
    getCurrentDirectory: () => absolute(""),
    getCompilationSettings: () => options,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
})();

/** The text that an editor renders: of a link it shows the name, and what it takes for text, it shows as it is written. */
const render = (parts: readonly ts.SymbolDisplayPart[] = []) =>
  parts.map(({ kind, text }) => (kind === "link" ? "" : text)).join("");

/** What an editor shows for the last name in some code, which begins with the imports of its file. */
function hover(text: string): { signature: string; documentation: string; tags: { name: string; text: string }[] } {
  code = text;
  version++;
  const { displayParts, documentation, tags = [] } = service.getQuickInfoAtPosition(FILE, code.length - 1) ?? {};
  return {
    signature: render(displayParts),
    documentation: render(documentation),
    tags: tags.map(({ name, text }) => ({ name, text: render(text) })),
  };
}

test("on the kind of any error, an editor shows what each kind means, once", () => {
  const { documentation } = hover(
    'import type { AnyPlantStoreError } from "plant-store-client";\ndeclare const error: AnyPlantStoreError;\nerror.kind',
  );
  const kinds = ["config", "input", "token", "api", "response", "connection", "timeout", "aborted", "interrupted"];
  const lines = documentation.split("\n");
  expect(lines.map((line) => /^`(\w+)`: .+\.$/.exec(line)?.[1])).toEqual(kinds);
});

test("on the outcome of an error, an editor shows no type parameter", () => {
  const { signature } = hover(
    'import type { AnyPlantStoreError } from "plant-store-client";\ndeclare const error: AnyPlantStoreError;\nerror.outcome',
  );
  expect(signature).toBe("(property) PlantStoreFailure.outcome: Outcome");
});

describe("on a function that creates plants", () => {
  const imports =
    'import { createPlants, isPlantStoreError, PlantStoreClient } from "plant-store-client";\n' +
    'import { createUndiciFetch } from "plant-store-client/undici";\n' +
    "declare const client: PlantStoreClient;\n";

  test.each([
    "client.createPlant",
    "client.tryCreatePlant",
    "createPlants",
    "createUndiciFetch",
    "new PlantStoreClient",
  ])("%s, each tag is a sentence: neither a brace nor a link is shown as text", (name) => {
    const { documentation, tags } = hover(`${imports}${name}`);
    expect(documentation).not.toBe("");
    expect(documentation).not.toMatch(/[{}]|@link/);
    for (const { name: tag, text } of tags) if (tag !== "example") expect(text).not.toMatch(/[{}]|@link/);
    for (const { text } of tags.filter(({ name: tag }) => tag === "throws")) {
      expect(text).toMatch(/^(A|The|An) .+\.$/s);
    }
  });

  test("createPlant, it names createPlants for many plants", () => {
    expect(hover(`${imports}client.createPlant`).documentation).toContain("createPlants");
  });

  test("createPlants, it shows two sentences and the example", () => {
    const { documentation, tags } = hover(`${imports}createPlants`);
    expect(documentation.split(/\.(?:\s+|$)/).filter((sentence) => sentence !== "")).toHaveLength(2);
    expect(tags.some(({ name }) => name === "example")).toBe(true);
  });
});

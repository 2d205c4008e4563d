import ts from "typescript";

/** A block of code in a page. */
export interface Block {
  /** The number of lines of the page above its code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** A program of a page: one block, or several that build on each other. */
export interface Program {
  /** The name that its first line gives it (`// plants.test.ts`), else one by its number on the page. */
  readonly file: string;
  readonly blocks: readonly Block[];
}

const CODE = /^(ts|tsx|js|jsx|mjs|cjs)$/;
const FILE_NAME = /^\/\/ ([\w./-]+\.(?:[cm]?[jt]s|[jt]sx))$/;

/** Every fenced block of a page. */
export function blocksOf(text: string): Block[] {
  return Array.from(
    text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm),
    ({ index, 1: language = "", 2: code = "" }) => ({ line: text.slice(0, index).split("\n").length, language, code }),
  );
}

/**
 * The programs of a page. A block continues the program above it; it begins a new one if its first line names a file,
 * or if it declares or imports a name that the program above has already, and so could not be in the same file.
 */
export function programsOf(text: string): Program[] {
  const programs: { file: string; blocks: Block[]; names: Set<string> }[] = [];
  for (const block of blocksOf(text).filter(({ language }) => CODE.test(language))) {
    const [, file] = FILE_NAME.exec(block.code.split("\n", 1)[0] ?? "") ?? [];
    const names = namesIn(block);
    const last = programs.at(-1);
    if (last && file === undefined && !names.some((name) => last.names.has(name))) {
      last.blocks.push(block);
      for (const name of names) last.names.add(name);
    } else {
      const number = `program-${programs.length + 1}.${block.language}`;
      programs.push({ file: file ?? number, blocks: [block], names: new Set(names) });
    }
  }
  return programs;
}

/** The names that a block brings into its file: imports, variables, functions, classes and types. */
function namesIn({ code, language }: Block): string[] {
  const names: string[] = [];
  const add = (name: ts.BindingName | ts.Identifier | undefined) => {
    if (name === undefined) return;
    if (ts.isIdentifier(name)) names.push(name.text);
    else for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
  };
  for (const statement of ts.createSourceFile(`block.${language}`, code, ts.ScriptTarget.Latest).statements) {
    if (ts.isImportDeclaration(statement)) {
      add(statement.importClause?.name);
      const bindings = statement.importClause?.namedBindings;
      if (bindings && ts.isNamespaceImport(bindings)) add(bindings.name);
      else for (const element of bindings?.elements ?? []) add(element.name);
    } else if (ts.isVariableStatement(statement)) {
      for (const declaration of statement.declarationList.declarations) add(declaration.name);
    } else if (ts.isDeclarationStatement(statement) && statement.name && ts.isIdentifier(statement.name)) {
      add(statement.name);
    }
  }
  return names;
}

/** The packages that code imports. */
export function importsOf(code: string): string[] {
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
}

/** A block of code in a page. */
export interface Block {
  /** The number of lines of the page above its code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

const CODE = /^(ts|tsx|js|jsx|mjs|cjs)$/;
const FILE_NAME = /^\/\/ [\w./-]+\.(?:[cm]?[jt]s|[jt]sx)\n/;
const IMPORTS = /^import (.+?) from "/gms;

/** Every fenced block of a page. */
export function blocksOf(text: string): Block[] {
  return Array.from(
    text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm),
    ({ index, 1: language = "", 2: code = "" }) => ({ line: text.slice(0, index).split("\n").length, language, code }),
  );
}

/**
 * The programs of a page, block by block. A block continues the program above it; it begins a new one if its first line
 * names a file (`// plants.test.ts`), or if it imports a name that the program above has imported already.
 */
export function programsOf(text: string): Block[][] {
  const programs: Block[][] = [];
  let imported = new Set<string>();
  for (const block of blocksOf(text).filter(({ language }) => CODE.test(language))) {
    const names = Array.from(block.code.matchAll(IMPORTS), ([, clause = ""]) => clause.match(/[\w$]+/g) ?? []).flat();
    if (programs.length === 0 || FILE_NAME.test(block.code) || names.some((name) => imported.has(name))) {
      programs.push([]);
      imported = new Set();
    }
    programs.at(-1)?.push(block);
    for (const name of names) if (name !== "type") imported.add(name);
  }
  return programs;
}

/** The packages that code imports. */
export function importsOf(code: string): string[] {
  return Array.from(code.matchAll(/\b(?:from |import |import\(|require\()"(.+?)"/g), ([, name = ""]) => name);
}

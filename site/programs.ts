/**
 * The programs of a page. A block continues the program above it; it begins a new one if its first line names a file
 * (`// plants.test.ts`, `<!-- plants.vue -->`), or if it imports a name that the program above has imported already.
 */
export function programsOf<Block extends { readonly content: string }>(blocks: readonly Block[]): Block[][] {
  const programs: Block[][] = [];
  let imported: string[] = [];
  for (const block of blocks) {
    const clauses = Array.from(block.content.matchAll(/^import (.+?) from "/gms), ([, clause = ""]) => clause);
    const names = clauses.flatMap((clause) => clause.match(/[\w$]+/g) ?? []).filter((name) => name !== "type");
    if (
      programs.length === 0 ||
      /^(?:\/\/ \S+\.\w+|<!-- \S+\.vue -->)\n/.test(block.content) ||
      names.some((name) => imported.includes(name))
    ) {
      programs.push([]);
      imported = [];
    }
    programs.at(-1)?.push(block);
    imported.push(...names);
  }
  return programs;
}

/** The packages that code imports. */
export function importsOf(code: string): string[] {
  return Array.from(code.matchAll(/\b(?:from |import |import\(|require\()"(.+?)"/g), ([, name = ""]) => name);
}

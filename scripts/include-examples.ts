import { readFileSync } from "node:fs";

/** One line of a comment that names a file, and perhaps a region of it: `* {@includeCode ../docs/code/x.ts#region}`. */
const reference = /^([ \t]*\*) \{@includeCode (?:\.\.\/)+([^#}]+)(?:#([\w-]+))?\}$/gm;

/**
 * Replaces TypeDoc's `{@includeCode}` in a declaration file by the code of the example, because editors do not support it.
 *
 * @param path - The name of the file in the message.
 * @throws Error if an example or a region is missing.
 */
export function includeExamples(root: URL, text: string, path: string): string {
  const complete = text.replace(reference, (_line, star: string, source: string, region?: string) => {
    const code = readExample(root, source, region);
    return ["```ts", ...code.split("\n"), "```"].map((line) => `${star} ${line}`.trimEnd()).join("\n");
  });
  if (complete.includes("{@includeCode")) throw new Error(`${path} has an {@includeCode} that was not understood.`);
  return complete;
}

function readExample(root: URL, source: string, region: string | undefined): string {
  const lines = readFileSync(new URL(source, root), "utf8").trim().split("\n");
  if (region === undefined) return withoutBlockComments(lines.join("\n"), source);
  const start = lines.indexOf(`// #region ${region}`);
  const end = lines.indexOf(`// #endregion ${region}`, start);
  if (start < 0 || end < 0) throw new Error(`${source} has no region "${region}".`);
  return withoutBlockComments(lines.slice(start + 1, end).join("\n"), source);
}

/** The end of a block comment would end the comment that the code is put into. */
function withoutBlockComments(code: string, source: string): string {
  const converted = code.replaceAll(/^([ \t]*)\/\*\*? (.*) \*\/$/gm, "$1// $2");
  if (converted.includes("*/")) throw new Error(`${source} has a block comment of several lines: use // there.`);
  return converted;
}

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A block of code in a page. */
export interface Block {
  readonly page: string;
  /** The number of lines of the page above its code. */
  readonly line: number;
  readonly language: string;
  readonly content: string;
}

/** The files of a folder and its subfolders, by path from the root, without installed packages. */
export function filesIn(folder: string, extension: string): string[] {
  const paths = readdirSync(root + folder, { recursive: true, encoding: "utf8" });
  return paths
    .filter((path) => path.endsWith(extension) && !path.includes("node_modules"))
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`);
}

/** A path from the root as one that can be imported. */
export function absolute(path: string): string {
  return root + path;
}

/** The text of a file. */
export function read(path: string): string {
  return readFileSync(absolute(path), "utf8");
}

/** Every fenced block of a page. */
export function blocksOf(page: string): Block[] {
  const text = read(page);
  return Array.from(
    text.matchAll(/^ *```(\w*)[^\n]*\n([\s\S]*?)^ *```$/gm),
    ({ index, 1: language = "", 2: content = "" }) => ({
      page,
      line: text.slice(0, index).split("\n").length,
      language,
      content,
    }),
  );
}

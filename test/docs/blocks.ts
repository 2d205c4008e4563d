import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Block, blocksOf as blocksIn } from "../../site/programs.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A block of code, in its page. */
export interface PageBlock extends Block {
  readonly page: string;
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
export function blocksOf(page: string): PageBlock[] {
  return blocksIn(read(page)).map((block) => ({ page, ...block }));
}

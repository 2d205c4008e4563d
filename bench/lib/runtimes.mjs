import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The Node of a major that bench/package.json brings, or undefined where its platform has none. */
export function nodePath(major) {
  const name = `node-${major}-${process.platform}-${process.arch}`;
  const path = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));
  return existsSync(path) ? path : undefined;
}

/** The Node to run a candidate with; a clear error where there is none. */
export function node(major) {
  const path = nodePath(major);
  if (path) return path;
  throw new Error(`There is no Node ${major} for ${process.platform} ${process.arch} in bench/package.json: add it.`);
}

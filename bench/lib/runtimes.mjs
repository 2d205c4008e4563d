import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The Node to run a candidate with: that of bench/package.json, or the running one where its major is the same. */
export function node(major) {
  const name = `node-${major}-${process.platform}-${process.arch}`;
  const path = fileURLToPath(new URL(`../node_modules/${name}/bin/node`, import.meta.url));
  if (existsSync(path)) return path;
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  throw new Error(`There is no ${name} in bench/package.json: add it, or run with Node ${major} and --node ${major}.`);
}

import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The packages that install further versions of Node: the benchmarks, and the tests on other runtimes. */
const INSTALLED = ["../node_modules/", "../../test/packages/node_modules/"];

/** The Node to run a candidate with: an installed one, or the running one if its major is the same. */
export function node(major) {
  const name = `node-${major}-${process.platform}-${process.arch}`;
  for (const folder of INSTALLED) {
    const path = fileURLToPath(new URL(`${folder}${name}/bin/node`, import.meta.url));
    if (existsSync(path)) return path;
  }
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  throw new Error(`${name} is not installed: run npm ci in bench, or run with Node ${major} and --node ${major}.`);
}

/**
 * Builds the contents of the package: `dist/` by tsup, the code of the examples in its declarations.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { build } from "tsup";
import { includeExamples } from "./include-examples.ts";

const root = new URL("../", import.meta.url);
const dist = new URL("dist/", root);

await rm(dist, { recursive: true, force: true });
await build({});
await omitComments();
await rewrite(/^(?:mock[\\/](?:msw|node)|undici)\.cjs$/, explainMissingPeer);
await rewrite(/\.d\.c?ts$/, (text, path) => includeExamples(root, text, path));

/**
 * The bundler writes the name of a source above its code, and the docstrings of fields. The source map names the
 * sources, the declarations have the public docstrings. The lines stay, for the map, whose address tsup writes twice.
 */
async function omitComments(): Promise<void> {
  const comment = /^(?:\/\/ (?:src|mock)\/.*| *\/\*\*[\s\S]*?\*\/)$/gm;
  const address = /(\n\/\/# sourceMappingURL=.*)\1/;
  await rewrite(/\.c?js$/, (code) => code.replace(comment, (text) => text.replace(/.+/g, "")).replace(address, "$1"));
}

/** Without its peer dependency, an entry point would name a chunk of this package that nobody has written. */
function explainMissingPeer(code: string, path: string): string {
  const entryPoint = `plant-store-client/${path.replaceAll("\\", "/").replace(".cjs", "")}`;
  const peer = path.startsWith("mock") ? "msw" : "undici";
  const message = `Cannot find module '${peer}': ${entryPoint} needs it; run npm install ${peer}`;
  return `'use strict';
try { require("${peer}"); } catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  throw Object.assign(new Error(${JSON.stringify(message)}, { cause: error }), { code: error.code });
}
${code}`;
}

/** Rewrites each file of `dist` whose name matches. */
async function rewrite(name: RegExp, change: (text: string, path: string) => string): Promise<void> {
  const paths = (await readdir(dist, { recursive: true })).filter((path) => name.test(path));
  for (const path of paths) {
    const file = new URL(path.replaceAll("\\", "/"), dist);
    await writeFile(file, change(await readFile(file, "utf8"), path));
  }
}

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { distPath } from "../lib/build.mjs";
import { OURS, programs, withCall } from "../lib/programs.mjs";
import { versionsOf } from "../lib/report.mjs";

const PACKAGES = ["esbuild", "openapi-fetch", "@hey-api/client-fetch", "ofetch", "ky", "axios", "stripe", "openai"];

export const title = "Size: what a browser loads for one call";
export const versions = () => versionsOf(PACKAGES);

export async function run() {
  const { build } = await import("esbuild");
  const sizes = {};
  for (const [name, program] of Object.entries(programs)) sizes[name] = await sizeOf(build, withCall(program));
  const base = sizes["openapi-fetch"].gzipped;
  return {
    tables: [
      {
        title: "A program of one call: browser ESM by esbuild, minified and gzipped",
        note: "Kilobytes of 1000 bytes; the ratio is that of the gzipped sizes.",
        columns: ["client", "minified kB", "gzipped kB", "to openapi-fetch"],
        rows: Object.entries(sizes).map(([name, { minified, gzipped }]) => [
          name,
          (minified / 1000).toFixed(1),
          (gzipped / 1000).toFixed(2),
          (gzipped / base).toFixed(2),
        ]),
      },
      { title: "What our program is made of", note: "Before compression.", ...(await partsOf()) },
    ],
    targets: [
      {
        figure: "the whole client with openapi-fetch in it, gzipped",
        atMost: 9,
        value: sizes[OURS].gzipped / 1000,
        unit: "kB",
      },
    ],
  };
}

/** The bytes of our program by source file. */
async function partsOf() {
  const { build } = await import("esbuild");
  const source = fileURLToPath(new URL("../../src/index.ts", import.meta.url));
  const program = withCall(programs[OURS]).replace(distPath("index.js"), source);
  // Of the sources the bundler would take what tsconfig.json names.
  const alias = { "#platform": fileURLToPath(new URL("../../src/proof/browser.ts", import.meta.url)) };
  const { metafile } = await build({ ...optionsOf(program), alias });
  const [{ bytes: total, inputs }] = Object.values(metafile.outputs);
  const rows = Object.entries(inputs)
    .sort(([, x], [, y]) => y.bytesInOutput - x.bytesInOutput)
    .map(([file, { bytesInOutput: bytes }]) => [
      file.replace(/.*(?=\bsrc\/)|.*node_modules\//, ""),
      `${((bytes / total) * 100).toFixed(1)} %`,
      bytes,
    ]);
  return { columns: ["file", "share", "minified bytes"], rows };
}

async function sizeOf(build, contents) {
  const { outputFiles } = await build(optionsOf(contents));
  const [{ contents: bytes }] = outputFiles;
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
}

function optionsOf(contents) {
  return {
    stdin: { contents, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  };
}

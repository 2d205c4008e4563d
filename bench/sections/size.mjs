import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { CLIENT } from "../lib/build.mjs";
import { programs, withCall } from "../lib/programs.mjs";
import { versionsOf } from "../lib/report.mjs";

const PACKAGES = ["esbuild", "openapi-fetch", "@hey-api/client-fetch", "ofetch", "ky", "axios", "stripe", "openai"];

export const title = "Size: what a browser loads for one call";
export const doors = CLIENT;
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
    ],
    targets: [
      {
        figure: "the whole client with openapi-fetch in it, gzipped",
        atMost: 6.5,
        value: sizes["**plant-store-client**"].gzipped / 1000,
        unit: "kB",
      },
    ],
  };
}

async function sizeOf(build, contents) {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL("..", import.meta.url)) },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "error",
  });
  const [{ contents: bytes }] = outputFiles;
  return { minified: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
}

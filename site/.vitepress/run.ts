import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { blocksOf, importsOf, programsOf } from "../programs.ts";

const RUNNABLE = new Set(["plant-store-client", "plant-store-client/mock"]);

/** The programs of the Run buttons, by the name of their file on the site. */
const found = new Map<string, string>();

/**
 * The blocks of a page that need only the client and the mock in memory, by their line: the name of the program that
 * runs the blocks above it silently, and then the block.
 */
export function runnableBlocks(text: string, isReference: boolean): Map<number, string> {
  const runnable = new Map<number, string>();
  // In the reference, signatures stand between the examples.
  for (const blocks of isReference ? blocksOf(text).map((block) => [block]) : programsOf(text)) {
    let above = "";
    for (const { line, code } of blocks) {
      const imports = importsOf(above + code);
      if (!imports.includes("plant-store-client/mock") || !imports.every((name) => RUNNABLE.has(name))) break;
      const program = `import { begin, end } from "#worker";\n${above}\nbegin();\n${code}\nend();\n`;
      const name = createHash("sha256").update(program).digest("hex").slice(0, 12);
      found.set(name, program);
      runnable.set(line, name);
      above += `${code}\n`;
    }
  }
  return runnable;
}

/** Bundles the programs with the built package, as workers. */
export async function buildPrograms(outdir: string): Promise<void> {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  await build({
    entryPoints: Array.from(found.keys(), (name) => ({ in: `run:${name}`, out: name })),
    outdir,
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    target: "es2022",
    // Else the client takes the worker for a page, which does not tell a refused connection from a lost response.
    conditions: ["worker"],
    alias: { "#worker": fileURLToPath(new URL("worker.ts", import.meta.url)) },
    absWorkingDir: root,
    plugins: [
      {
        name: "run",
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^run:/ }, ({ path }) => ({ path: path.slice(4), namespace: "run" }));
          onLoad({ filter: /./, namespace: "run" }, ({ path }) => ({
            contents: found.get(path) ?? "",
            loader: "ts",
            resolveDir: root,
          }));
        },
      },
    ],
  });
}

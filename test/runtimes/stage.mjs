// Installs the built package as a consumer would: in a separate node_modules, next to the suite.
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { packages } from "../install-packages.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

const SUITE = [
  "suite.js",
  "start.mjs",
  "journal.mjs",
  "deprived.mjs",
  "server.mjs",
  "worker.js",
  "page.js",
  "http2.mjs",
  "../parity/fault-rows.ts",
  "../parity/late-deadline.ts",
  "../parity/observe.ts",
];

/** Creates a folder with the suite and the package, and with one major version of undici if the runtime uses it. */
export function createStage(undici) {
  if (!existsSync(join(root, "dist/index.js"))) throw new Error("There is no dist: npm run build first");
  const folder = mkdtempSync(join(tmpdir(), "runtimes-"));
  const modules = join(folder, "node_modules");
  const installed = join(modules, "plant-store-client");
  mkdirSync(installed, { recursive: true });
  for (const path of ["package.json", "dist"]) cpSync(join(root, path), join(installed, path), { recursive: true });
  for (const name of ["openapi-fetch", "msw"]) {
    symlinkSync(join(root, "node_modules", name), join(modules, name), "junction");
  }
  if (undici) symlinkSync(join(packages, `undici-${undici}`), join(modules, "undici"), "junction");
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  for (const file of SUITE) cpSync(join(here, file), join(folder, basename(file)));
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

// The programs of the runtimes, and the environment that they run in.
import "../own-environment.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../install-packages.ts";

/** Without proxies, which Bun, Deno and browsers would use. */
const isForeign = (name) => /_PROXY$/i.test(name);
export const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !isForeign(name)));

export function nodeOf(major) {
  return Number.parseInt(process.versions.node, 10) === major ? process.execPath : binaryOf(`node-${major}`);
}

/**
 * The packages that hold the bare programs: no install script, and every one of them in the lock file. Linux alone,
 * because the lock file would need the programs of every other system too.
 */
const BINARIES = {
  "linux-x64": {
    bun: "@oven/bun-linux-x64/bin/bun",
    "bun-1.2": "bun-1.2-linux-x64/bin/bun",
    deno: "@deno/linux-x64-glibc/deno",
    workerd: "@cloudflare/workerd-linux-64/bin/workerd",
  },
  "linux-arm64": {
    bun: "@oven/bun-linux-aarch64/bin/bun",
    "bun-1.2": "bun-1.2-linux-arm64/bin/bun",
    deno: "@deno/linux-arm64-glibc/deno",
    workerd: "@cloudflare/workerd-linux-arm64/bin/workerd",
  },
};

export function binaryOf(program) {
  const machine = `${process.platform}-${process.arch}`;
  const path = join(packages, BINARIES[machine]?.[program] ?? `${program}-${machine}/bin/node`);
  if (!existsSync(path)) throw new Error(`test/packages/node_modules has no ${program} for ${machine}`);
  return path;
}

/*
 * Runs mutation testing twice, and prints the table of scores. The argument is that of Stryker's `--mutate`:
 * `npx tsx test/mutation/run.mjs "mock/http/*.ts"`; without it, all of `src` and `mock`.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { installWorkspace } from "../install-workspace.ts";

installWorkspace("mutation");

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [only] = process.argv.slice(2);

function run(script, ...args) {
  const { status } = spawnSync(process.execPath, [at(script), ...args], { cwd: at("../.."), stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

const stryker = "node_modules/@stryker-mutator/core/bin/stryker.js";
run(stryker, "run", at("stryker.config.json"), ...(only === undefined ? [] : ["--mutate", only]));
rmSync(at("../../reports/mutation-static.json"), { force: true });
const { default: second } = await import("./static.config.mjs");
if (second.mutate.length > 0) run(stryker, "run", at("static.config.mjs"));
run("score.mjs");

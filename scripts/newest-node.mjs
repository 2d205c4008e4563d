/** Runs a command with the newest Node that `test/runtimes` has: `npx tsx scripts/newest-node.mjs npm test`. */
import { spawnSync } from "node:child_process";
import { delimiter, dirname } from "node:path";
import { installWorkspace } from "../test/install-workspace.ts";
import { nodeOf } from "../test/runtimes/programs.mjs";

const NEWEST = 26;

installWorkspace("runtimes");
const PATH = [dirname(nodeOf(NEWEST)), process.env.PATH].join(delimiter);
const { status } = spawnSync(process.argv.slice(2).join(" "), {
  shell: true,
  stdio: "inherit",
  env: { ...process.env, PATH },
});
process.exitCode = status ?? 1;

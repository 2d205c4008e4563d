/**
 * Runs `npm test` repeatedly beside processes that keep the machine busy, and exits with status 1 if a run failed:
 * `npm run steady`, or `npm run steady -- --runs 20 --busy 3`.
 */
import { spawn } from "node:child_process";
import { parseArgs } from "node:util";
import { countTests } from "./count-tests.ts";
import { runCommand } from "./run-command.ts";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "3" }, busy: { type: "string", default: "16" } },
});
for (let busy = 0; busy < Number(values.busy); busy++) keepBusy();

let isSteady = true;
for (let number = 1; number <= Number(values.runs); number++) {
  const start = performance.now();
  const { exitCode, output } = await runCommand("npm test");
  const { passed, failed } = countTests(output) ?? { passed: 0, failed: 0 };
  const seconds = ((performance.now() - start) / 1000).toFixed(0);
  console.log(`run ${number}: ${passed} passed, ${failed} failed, exit status ${exitCode}, ${seconds} s`);
  for (const line of output.split("\n"))
    if (/^\s*(FAIL|×|\w*Error:|Nothing has happened)/.test(line)) console.log(line);
  isSteady &&= exitCode === 0;
}
process.exit(isSteady ? 0 : 1);

/** Starts a process that computes for as long as this one lives. */
function keepBusy(): void {
  const script =
    "process.on('disconnect', () => process.exit()); setInterval(() => { for (let i = 0; i < 1e8; i++); })";
  spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

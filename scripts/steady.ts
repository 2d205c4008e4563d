/**
 * Runs `npm test` repeatedly while three processes keep the machine busy, and prints a table for
 * docs/evidence.md. `npm run steady` makes 20 runs, `npm run steady -- --runs 3` fewer; `--write` puts the table into
 * the page after each run, so that an interrupted series keeps its log. It exits with status 1 if a run failed.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { type Count, countTests } from "./count-tests.ts";
import { evidencePage, evidenceWith } from "./evidence.ts";
import { startCommand } from "./start-command.ts";

interface Run extends Count {
  readonly startedAt: Date;
  readonly seconds: number;
  readonly exitCode: number;
  /** The lines that tell what failed. */
  readonly complaints: readonly string[];
}

const BUSY_PROCESSES = 3;
const { values } = parseArgs({ options: { runs: { type: "string", default: "20" }, write: { type: "boolean" } } });
const count = Number(values.runs);
if (!Number.isInteger(count) || count < 1) {
  throw new Error(`--runs must be a positive integer, but was "${values.runs}"`);
}

const busy = Array.from({ length: BUSY_PROCESSES }, keepBusy);
let tests: ChildProcess | undefined;
process.once("exit", () => {
  for (const child of [...busy, tests]) child?.kill();
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));
const runs: Run[] = [];
for (let number = 1; number <= count; number++) {
  const run = await runTests();
  runs.push(run);
  console.log(describe(run, number));
  for (const line of run.complaints) console.log(`  ${line}`);
  if (values.write) writeFileSync(evidencePage, evidenceWith("steady", renderTable(runs)));
}
console.log(`\n${renderTable(runs)}`);
process.exit(runs.every(({ exitCode }) => exitCode === 0) ? 0 : 1);

/** A process that computes for as long as this one lives. */
function keepBusy(): ChildProcess {
  const script =
    "process.on('disconnect', () => process.exit()); setInterval(() => { for (let i = 0; i < 1e8; i++); })";
  return spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

async function runTests(): Promise<Run> {
  const startedAt = new Date();
  const start = performance.now();
  const { child, ended } = startCommand("npm test");
  tests = child;
  const { exitCode, output } = await ended;
  const { passed, failed } = countTests(output) ?? { passed: 0, failed: 0 };
  const complaints = output.split("\n").filter((line) => /^\s*(FAIL|×|\w*Error:|Nothing has happened)/.test(line));
  const seconds = (performance.now() - start) / 1000;
  return { startedAt, seconds, passed, failed, exitCode, complaints };
}

function describe({ passed, failed, seconds, exitCode }: Run, number: number): string {
  return `run ${number}: ${passed} passed, ${failed} failed, exit status ${exitCode}, ${seconds.toFixed(0)} s`;
}

function renderTable(runs: readonly Run[]): string {
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  const rows = runs.map(
    ({ startedAt, passed, failed, seconds, exitCode }, index) =>
      `| ${index + 1} | ${startedAt.toISOString().slice(11, 19)} | ${passed} | ${failed} | ${exitCode} | ${seconds.toFixed(0)} |`,
  );
  return [
    `\`npm run steady\` on ${runs[0]?.startedAt.toISOString().slice(0, 10)}: ${runs.length} of ${count} runs with ${BUSY_PROCESSES} busy processes, ${machine}.`,
    "",
    "| run | start (UTC) | passed | failed | exit status | seconds |",
    "|---:|---|---:|---:|---:|---:|",
    ...rows,
  ].join("\n");
}

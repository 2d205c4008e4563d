/**
 * Runs every step, or the named ones, even if others fail. At its end it prints the steps, the longest first and failed
 * ones last, and the totals on the last line: `12 passed, 0 failed`.
 */
import { stripVTControlCharacters } from "node:util";
import { type Count, countTests, sumCounts } from "./count-tests.ts";
import { type Group, groups, nightly, type Step } from "./gate-steps.ts";
import { runCommand } from "./run-command.ts";

interface Outcome extends Count {
  readonly name: string;
  readonly seconds: number;
  readonly note?: string;
  /** The lines of a failed step that say why; where only the end of a long output is kept, nothing else does. */
  readonly reasons: readonly string[];
}

/**
 * Runs the groups in order.
 *
 * @returns whether all of their steps passed.
 */
async function runGate(chosen: readonly Group[], write: (text: string) => void): Promise<boolean> {
  const start = performance.now();
  const outcomes: Outcome[] = [];
  for (const group of chosen) outcomes.push(...(await runGroup(group, write)));
  const { passed, failed } = sumCounts(outcomes);
  const isLate = ({ failed }: Outcome) => Number(failed > 0);
  outcomes.sort((one, other) => isLate(one) - isLate(other) || other.seconds - one.seconds);
  const minutes = ((performance.now() - start) / 60_000).toFixed(1);
  write(
    `\n=== ${minutes} minutes, by step\n${outcomes.map(describe).join("\n")}\n${passed} passed, ${failed} failed\n`,
  );
  return failed === 0;
}

/** Runs three steps of a group at a time. Their output is shown when they end. */
async function runGroup(group: Group, write: (text: string) => void): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const waiting = group.entries();
  const runNext = async () => {
    for (const [index, step] of waiting) {
      let output = `\n=== ${step.name}: ${step.run}\n`;
      const keep = (text: string) => {
        output += text;
      };
      if (group.length === 1) write(output);
      outcomes[index] = await runStep(step, group.length === 1 ? write : keep);
      if (group.length > 1) write(output);
    }
  };
  await Promise.all([runNext(), runNext(), runNext()]);
  return outcomes;
}

/**
 * The steps with these names, in the order of the gate; `nightly` names all of the nightly ones. Without a name, those
 * that a change must pass.
 *
 * @throws Error that lists the steps, if a name is unknown.
 */
function chooseSteps(names: readonly string[]): readonly Group[] {
  if (names.length === 0) return groups;
  const slow = nightly.map((step) => [step]);
  const all = [...groups, ...slow].flat();
  const unknown = names.filter((name) => name !== "nightly" && !all.some((step) => step.name === name));
  if (unknown.length > 0) {
    const known = [...all.map(({ name }) => name), "nightly"].join(", ");
    throw new Error(`There is no step ${unknown.join(", ")}; the steps are ${known}.`);
  }
  const isNamed = (step: Step) => names.includes(step.name) || (names.includes("nightly") && nightly.includes(step));
  return [...groups, ...slow].map((group) => group.filter(isNamed)).filter(({ length }) => length > 0);
}

async function runStep(step: Step, write: (text: string) => void): Promise<Outcome> {
  const start = performance.now();
  const { exitCode, output } = await runCommand(step.run, write, step.env);
  const seconds = (performance.now() - start) / 1000;
  const judged = judge(step, exitCode, output);
  return { name: step.name, seconds, ...judged, reasons: judged.failed === 0 ? [] : reasonsIn(output) };
}

/** A run that fails without a failed test, or passes without a test, counts as one failure more: nothing is hidden. */
function judge(step: Step, exitCode: number, output: string): Count & { note?: string } {
  const exited = `exit status ${exitCode}`;
  if (!step.tests) return exitCode === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, note: exited };
  const count = countTests(output);
  if (!count || count.passed + count.failed === 0) return { passed: 0, failed: 1, note: `${exited}, no test was run` };
  if (exitCode !== 0 && count.failed === 0) return { ...count, failed: 1, note: exited };
  return count;
}

function describe({ name, passed, failed, seconds, note, reasons }: Outcome): string {
  const verdict = failed === 0 ? "ok    " : "FAILED";
  const reason = note === undefined ? "" : ` (${note})`;
  const took = `${seconds.toFixed(0).padStart(5)} s`;
  const line = `${verdict} ${took}  ${name.padEnd(20)} ${passed} passed, ${failed} failed${reason}`;
  return [line, ...reasons.map((text) => `       | ${text}`)].join("\n");
}

/** The lines that name a failure or its place in a test; without such a line, the last ones. */
function reasonsIn(output: string): string[] {
  const lines = stripVTControlCharacters(output)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const named = lines.filter((line) => /\b(?:FAIL|ERROR)\b|[Ee]rror:|❯ \S+\.(?:test|spec)\.ts:\d+:\d+/.test(line));
  return (named.length > 0 ? named : lines).slice(-MAX_REASONS).map((line) => line.trim().slice(0, 200));
}

const MAX_REASONS = 10;

process.exitCode = (await runGate(chooseSteps(process.argv.slice(2)), (text) => process.stdout.write(text))) ? 0 : 1;

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";

const program = fileURLToPath(new URL("../mutation/score.mjs", import.meta.url));

/** Prints the scores of a report with mutants of these statuses in one file. */
function printScore(file: string, statuses: readonly string[] | undefined, ...flags: string[]) {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "reports"));
  const mutants = statuses?.map((status, index) => {
    const place = { line: 1, column: index };
    return { location: { start: place, end: place }, mutatorName: "Literal", replacement: "0", status };
  });
  const report = { files: { [file]: { source: "export {};", mutants } } };
  if (mutants) writeFileSync(join(folder, "reports/mutation.json"), JSON.stringify(report));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...flags], {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

test.each<[string, string[] | undefined]>([
  ["there is no report", undefined],
  ["the report has no mutant", []],
  ["every mutant was ignored, or did not compile", ["Ignored", "CompileError"]],
])("the score of mutation testing fails, and says why, if %s", (_what, statuses) => {
  for (const flags of [[], ["--survivors"]]) {
    const { status, output } = printScore("src/client.ts", statuses, ...flags);
    expect(output).toContain("No mutant was measured");
    expect(status).toBe(1);
  }
});

test("a half without mutants has no score, and the other one decides", () => {
  const good = printScore("src/client.ts", ["Killed", "Timeout"]);
  expect(good.output).toContain("| src, whole | 2 | 2 | 100.0 |\n| mock, whole | 0 | 0 | – |");
  expect(good.status).toBe(0);
  const bad = printScore("mock/msw/handlers.ts", ["Killed", "Survived"]);
  expect(bad.output).toContain("| src, whole | 0 | 0 | – |\n| mock, whole | 2 | 1 | 50.0 |");
  expect(bad.status).toBe(1);
});

import { expect, test } from "vitest";
import { countTests } from "../../scripts/count-tests.ts";
import { chooseSteps, runGate } from "../../scripts/gate.ts";
import type { Step } from "../../scripts/gate-steps.ts";

async function run(...steps: Step[]): Promise<{ passed: boolean; output: string; lastLine: string | undefined }> {
  let output = "";
  const passed = await runGate(steps, (text) => {
    output += text;
  });
  return { passed, output, lastLine: output.trimEnd().split("\n").at(-1) };
}

const says = (text: string, exitCode = 0) => `node -e "console.log('${text}');process.exitCode=${exitCode}"`;

test("a gate whose steps all pass ends with the total of tests and checks", async () => {
  const { passed, lastLine } = await run(
    { name: "unit", run: says("41 passed, 0 failed"), tests: true },
    { name: "lint", run: says("clean") },
  );
  expect(passed).toBe(true);
  expect(lastLine).toBe("42 passed, 0 failed");
});

test("a failed step is named, fails the gate and does not keep the next one from running", async () => {
  const { passed, output, lastLine } = await run(
    { name: "lint", run: says("broken", 3) },
    { name: "unit", run: says("7 passed, 2 failed", 1), tests: true },
    { name: "build", run: says("built") },
  );
  expect(passed).toBe(false);
  expect(output).toContain("FAILED lint: 0 passed, 1 failed");
  expect(output).toContain("(exit status 3)");
  expect(output).toContain("FAILED unit: 7 passed, 2 failed");
  expect(output).toContain("ok     build: 1 passed, 0 failed");
  expect(lastLine).toBe("8 passed, 3 failed");
});

test("the summary shows the lines of a failed step that name the failure, or else the last ones", async () => {
  const { output, lastLine } = await run(
    {
      name: "unit",
      run: says("7 passed, 0 failed\\nERROR: Coverage is 99 %\\n ❯ test/a.test.ts:3:4\\nthe end", 1),
      tests: true,
    },
    { name: "lint", run: says("one\\ntwo", 1) },
    { name: "build", run: says("ERROR in a name only") },
  );
  const summary = output.slice(output.indexOf("=== summary")).replaceAll(/[\d.]+ s/g, "0 s");
  expect(summary.split("\n").slice(1, -2)).toEqual([
    "FAILED unit: 7 passed, 1 failed, 0 s (exit status 1)",
    "       | ERROR: Coverage is 99 %",
    "       | ❯ test/a.test.ts:3:4",
    "FAILED lint: 0 passed, 1 failed, 0 s (exit status 1)",
    "       | one",
    "       | two",
    "ok     build: 1 passed, 0 failed, 0 s",
  ]);
  expect(lastLine).toBe("8 passed, 2 failed");
});

test("a test run that crashes after its tests passed counts as a failure", async () => {
  const { lastLine } = await run({ name: "unit", run: says("7 passed, 0 failed", 1), tests: true });
  expect(lastLine).toBe("7 passed, 1 failed");
});

test("a test run that finds no test counts as a failure", async () => {
  const { passed, lastLine } = await run({ name: "unit", run: says("nothing here"), tests: true });
  expect(passed).toBe(false);
  expect(lastLine).toBe("0 passed, 1 failed");
});

test("a step gets no input, and CI is set in its environment", async () => {
  const script = "process.stdin.on('end', () => console.log(process.env.CI, 'end of input')).resume()";
  const { output } = await run({ name: "asks", run: `node -e "${script}"` });
  expect(output).toContain("true end of input");
});

test("a step gets the variables that it names", async () => {
  const { output } = await run({ name: "asks", run: "node -p process.env.ASKED", env: { ASKED: "an answer" } });
  expect(output).toContain("an answer");
});

test("steps are chosen by name, in the order of the gate; without a name, those that a change must pass", () => {
  const chosen = (...names: string[]) => chooseSteps(names).map(({ name }) => name);
  expect(chosen("package", "lint")).toEqual(["lint", "package"]);
  expect(chosen()).toContain("lint");
  expect(chosen()).not.toContain("mutation");
  expect(chosen("nightly")).toContain("mutation");
  expect(chosen("nightly")).not.toContain("lint");
  expect(() => chooseSteps(["lnit"])).toThrow("There is no step lnit; the steps are generate, lint, ");
});

test.each([
  ["Vitest, all passed", "      Tests  12 passed (12)", { passed: 12, failed: 0 }],
  ["Vitest, some failed", "      Tests  1 failed | 12 passed | 2 todo (15)", { passed: 12, failed: 1 }],
  [
    "Vitest in colors",
    "\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m3 passed\u001b[39m (3)",
    { passed: 3, failed: 0 },
  ],
  ["node:test", "ℹ tests 5\nℹ pass 4\nℹ fail 1", { passed: 4, failed: 1 }],
  ["node:test as TAP", "# pass 4\n# fail 0", { passed: 4, failed: 0 }],
  ["several runs", "3 passed, 0 failed\n4 passed, 1 failed", { passed: 7, failed: 1 }],
  ["files, not tests", " Test Files  2 passed (2)", undefined],
])("the count of %s is read", (_runner, output, count) => {
  expect(countTests(output)).toEqual(count);
});

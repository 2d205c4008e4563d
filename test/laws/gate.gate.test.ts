import { expect, test } from "vitest";
import { chooseSteps, runGate } from "../../scripts/gate.ts";
import type { Step } from "../../scripts/gate-steps.ts";

async function run(...steps: Step[]) {
  let output = "";
  const passed = await runGate(steps, (text) => {
    output += text;
  });
  return { passed, output, lastLine: output.trimEnd().split("\n").at(-1) };
}

const says = (text: string, exitCode = 0) => `node -e "console.log('${text}');process.exitCode=${exitCode}"`;

test("a failed step is named with the line that says why, fails the gate, and the next one runs", async () => {
  const { passed, output, lastLine } = await run(
    { name: "lint", run: says("broken", 3) },
    {
      name: "unit",
      run: says("      Tests  2 failed | 7 passed (9)\\n ❯ test/a.test.ts:3:4\\nthe end", 1),
      tests: true,
    },
    { name: "build", run: says("built") },
  );
  expect(passed).toBe(false);
  expect(output).toMatch(/^FAILED lint: 0 passed, 1 failed, .* \(exit status 3\)\n {7}\| broken$/m);
  expect(output).toMatch(/^FAILED unit: 7 passed, 2 failed, .*\n {7}\| ❯ test\/a.test.ts:3:4$/m);
  expect(output).toMatch(/^ok {5}build: 1 passed, 0 failed/m);
  expect(lastLine).toBe("8 passed, 3 failed");
});

test.each([
  ["that crashes after its tests passed", says("7 passed, 0 failed", 1), "7 passed, 1 failed"],
  ["that finds no test", says("nothing here"), "0 passed, 1 failed"],
])("a test run %s counts as a failure", async (_what, command, total) => {
  expect(await run({ name: "unit", run: command, tests: true })).toMatchObject({ passed: false, lastLine: total });
});

test("steps are chosen by name; without a name, those that a change must pass", () => {
  const chosen = (...names: string[]) => chooseSteps(names).map(({ name }) => name);
  expect(chosen("package", "lint")).toEqual(["lint", "package"]);
  expect(chosen()).not.toContain("mutation");
  expect(chosen("nightly")).toContain("mutation");
  expect(() => chooseSteps(["lnit"])).toThrow("There is no step lnit; the steps are generate, lint, ");
});

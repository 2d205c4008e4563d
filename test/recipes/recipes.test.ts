import { rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { browserPath } from "../browser.ts";
import { browserTest } from "../browser-test.ts";
import { freePort } from "../free-port.ts";
import { packages } from "../install-packages.ts";
import { execute, run } from "../package/run.ts";
import { install } from "./install.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** A recipe, and the last count in the output of its own test runner. */
interface Recipe {
  readonly example: string;
  readonly prints: RegExp;
  readonly typed?: boolean;
}

const recipes: readonly Recipe[] = [
  { example: "vitest", prints: /Tests {2}5 passed \(5\)/, typed: true },
  { example: "jest", prints: /Tests: {7}7 passed, 7 total.*Tests: {7}5 passed, 5 total/s },
];

test.concurrent.each(recipes)("examples/$example passes with the packed package", tryRecipe);

browserTest.concurrent("examples/playwright passes with the packed package", () =>
  tryRecipe({ example: "playwright", prints: /^ {2}8 passed/m, typed: true }),
);

// The newest Vitest needs a newer Node than the repository.
test.runIf(process.platform === "linux").concurrent("examples/vitest passes with Vitest 5 on Node 24", async () => {
  const at = (path: string) => join(packages, path);
  const folder = await install("vitest", "vitest-5");
  await rm(join(folder, "node_modules/vitest"), { recursive: true });
  await symlink(at("vitest-5"), join(folder, "node_modules/vitest"));
  const args = [join(folder, "node_modules/vitest/vitest.mjs"), "run"];
  const { stdout } = await execute(folder, at(`node-24-linux-${process.arch}/bin/node`), args, { NO_COLOR: "1" });
  expect(stdout).toMatch(/RUN {2}v5\..*Tests {2}5 passed \(5\)/s);
});

test.concurrent("examples/vitest verifies a session unless its test has failed", async () => {
  const folder = await install("vitest", "vitest-failing");
  const failing = `import { faults } from "plant-store-client/mock";
import { test } from "./session-test.ts";
test("fails", ({ session, expect }) => {
  session.inject(faults.hang());
  expect(1).toBe(2);
});
test("leaves a fault unused", ({ session }) => session.inject(faults.networkError()));
`;
  await writeFile(join(folder, "failing.test.ts"), failing);
  const { message } = await execute(folder, "npx", ["vitest", "run", "failing.test.ts"], { NO_COLOR: "1" }).then(
    () => expect.fail("no test failed"),
    (error: Error) => error,
  );
  expect(message).toContain("expected 1 to be 2");
  expect(message).toMatch(/the fault networkError\b.* was never used/);
  expect(message).not.toMatch(/the fault hang\b.* was never used/);
});

async function tryRecipe({ example, prints, typed = false }: Recipe): Promise<void> {
  const folder = await install(example);
  if (typed) await run(root, "npx", ["tsc", "-p", folder]);
  const env = { CI: "true", NO_COLOR: "1", FORCE_COLOR: undefined, PORT: `${await freePort()}`, CHROMIUM: browserPath };
  const { stdout, stderr } = await execute(folder, "npm", ["test"], env);
  expect(`${stdout}${stderr}`).toMatch(prints);
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { browserPath } from "../browser.ts";
import { browserTest } from "../browser-test.ts";
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
  { example: "jest", prints: /Tests: {7}9 passed, 9 total.*Tests: {7}5 passed, 5 total/s },
  { example: "node-test", prints: /# pass 6\n# fail 0/ },
];

test.concurrent.each(recipes)("examples/$example passes with the packed package", tryRecipe);

browserTest.concurrent("examples/playwright passes with the packed package", () =>
  tryRecipe({ example: "playwright", prints: /^ {2}8 passed/m, typed: true }),
);

async function tryRecipe({ example, prints, typed = false }: Recipe): Promise<void> {
  const folder = await install(example);
  if (typed) await run(root, "npx", ["tsc", "-p", folder]);
  const env = { CI: "true", NO_COLOR: "1", FORCE_COLOR: undefined, PORT: `${await freePort()}`, CHROMIUM: browserPath };
  const { stdout, stderr } = await execute(folder, "npm", ["test"], env);
  expect(`${stdout}${stderr}`).toMatch(prints);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { run } from "../package/run.ts";
import { install } from "./install.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Each recipe, and the last count that its own test runner prints. */
const recipes = [
  { example: "vitest", prints: /Tests {2}5 passed \(5\)/, typed: true },
  { example: "jest-cjs", prints: /Tests: {7}6 passed, 6 total/ },
  { example: "jest-esm", prints: /Tests: {7}5 passed, 5 total/ },
  { example: "node-test", prints: /# pass 7\n# fail 0/ },
  { example: "playwright", prints: /^ {2}8 passed/m, typed: true },
];

test.concurrent.each(recipes)("examples/$example passes with the packed package", async (recipe) => {
  const folder = await install(recipe.example);
  if (recipe.typed) await run(root, "npx", ["tsc", "-p", folder]);

  const output = await run(folder, "sh", ["-c", `CI=true NO_COLOR=1 PORT=${await freePort()} npm test 2>&1`]);

  expect(output).toMatch(recipe.prints);
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { execute } from "../package/run.ts";

test("variables that a person has set for their own use change no test", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const files = ["test/mock/http/process.test.ts", "test/mock/http/remote-lifetime.test.ts"];
  const theirs = { PLANT_STORE_TOKEN: "theirs", PLANT_STORE_MOCK_CONFIG: "/nonexistent.json", FORCE_COLOR: "3" };
  const args = ["node_modules/vitest/vitest.mjs", "run", "--reporter=json", ...files];
  const { stdout } = await execute(root, process.execPath, args, theirs);
  expect(JSON.parse(stdout)).toHaveProperty("success", true);
});

import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { absolute } from "./blocks.ts";

it("every table and plot shows the results of the last benchmark", () => {
  const args = [absolute("bench/docs.mjs"), "--check"];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  expect(stdout).toMatch(/^(\d+) of \1 files are up to date\.$/m);
});

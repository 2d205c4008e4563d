import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { absolute } from "./blocks.ts";

it("every table and plot shows the results of the last benchmark", () => {
  const { stderr, status } = spawnSync(process.execPath, [absolute("bench/docs.mjs"), "--check"], { encoding: "utf8" });
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
});

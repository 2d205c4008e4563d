import "./own-environment.ts";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { StandStill } from "./stand-still.ts";
import { timeLimits } from "./time-limits.ts";

/** The configuration of tests that have a step of the gate for themselves. The folder is that of the file at a URL. */
export function stepConfig(url: string | URL, own: ViteUserConfig["test"] = {}): ViteUserConfig {
  const shared = { include: ["*.test.ts"], reporters: ["default", new StandStill()], maxWorkers: 2, maxConcurrency: 2 };
  return defineConfig({ root: fileURLToPath(new URL(".", url)), test: { ...shared, ...timeLimits, ...own } });
}

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { execute } from "../package/run.ts";

test("a test file that leaves a global, a variable, a listener or fake timers behind fails, and they are named", async () => {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", "test/laws/left-behind/vitest.config.ts"];
  const names = ["globalThis.fetch", "process.env.LEFT_BEHIND", "process.on(warning)"];
  await expect(execute(root, process.execPath, args, { NO_COLOR: "1" })).rejects.toThrow(
    `+   "areTimersFake": true,\n+   "changed": [\n${names.map((name) => `+     "${name}",\n`).join("")}+   ],`,
  );
});

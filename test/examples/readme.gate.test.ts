import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./run-program.ts";

const readme = await readFile(join(root, "README.md"), "utf8");

test("its quick start equals examples/quick-start", async () => {
  const quickStart = await readFile(join(root, "examples/quick-start.ts"), "utf8");
  expect(readme).toContain(`\`\`\`ts\n${quickStart}\`\`\``);
});

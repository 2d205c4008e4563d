import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { expect, inject, test } from "vitest";
import { run } from "./run.ts";

const { tarball } = inject("installed");
const root = fileURLToPath(new URL("../..", import.meta.url));

test("publint finds nothing in the package", async () => {
  const { messages } = await publint({
    pack: { tarball: Uint8Array.from(await readFile(tarball)).buffer },
    strict: true,
  });
  expect(messages).toEqual([]);
});

test("Are The Types Wrong finds nothing at any entry point, with node10 resolution too", async () => {
  const args = ["--no-install", "attw", tarball, "--exclude-entrypoints", "./openapi.yaml", "--format", "ascii"];
  const printed = await run(root, "npx", args);
  expect(printed).toContain("No problems found");
  expect(printed.match(/^node10: 🟢/gm)).toHaveLength(9);
});

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { operations } from "../../mock/service/operations/operations.ts";

const mock = fileURLToPath(new URL("../../mock", import.meta.url));

/** The values in the files of a folder that belong in its table. */
async function rowsIn(folder: string, isRow: (value: object) => boolean) {
  const files = await readdir(join(mock, folder));
  const rows = files.map(async (file) => {
    const exports: Record<string, unknown> = await import(join(mock, folder, file));
    return Object.values(exports).filter(
      (value): value is object => typeof value === "object" && value !== null && isRow(value),
    );
  });
  return (await Promise.all(rows)).flat();
}

// Each row is a file, and a file that its table does not import would be unknown to everything that derives from it.
test("every operation with a file of its own is in the table of operations", async () => {
  const found = await rowsIn("service/operations", (value) => "answer" in value);
  expect(new Set(found)).toEqual(new Set(operations));
  expect(found).toHaveLength(operations.length);
});

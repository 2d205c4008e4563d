import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** A folder for the tests of a file: the path to an entry of it, and a file that is written there. */
export function useFolder() {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "plant-store-mock-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  const write = (name: string, content: string | Uint8Array): string => {
    writeFileSync(path(name), content);
    return path(name);
  };
  return { path, write };
}

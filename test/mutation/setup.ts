import { readFileSync } from "node:fs";
import { afterAll, afterEach, expect, vi } from "vitest";

// Loaded before any test, so that work done at module load is never attributed to a test.
import "../../mock/http.ts";
import "../../mock/index.ts";
import "../../src/index.ts";

/*
 * One failing test is enough. Vitest skips the tests after it, but would still load their files one by one: half of
 * the time of a mutant.
 */
const run = globalThis as { hasFailed?: boolean };
if (run.hasFailed) throw new Error("A test has failed already.");
afterEach(({ task }) => {
  if (task.result?.state === "fail") run.hasFailed = true;
});

// A file that replaces a module loads its modules anew, and so does the file after it.
if (/\bvi\.(mock|doMock)\(/.test(readFileSync(expect.getState().testPath as string, "utf8"))) {
  vi.resetModules();
  afterAll(() => void vi.resetModules());
}

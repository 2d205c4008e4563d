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

const restore = () => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
};
if (/\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(expect.getState().testPath as string, "utf8"))) {
  // A file that replaces a module loads its modules anew, and so does the file after it.
  vi.resetModules();
  afterAll(() => {
    restore();
    vi.resetModules();
  });
} else {
  // As the settings of the project `shared` do. A global that one file leaves replaced would fail others.
  afterEach(restore);
}

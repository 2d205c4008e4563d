import { afterEach } from "vitest";

// Loaded before any test, so that what a module does when it is loaded is never taken for something that a test does.
import "../../mock/http.ts";
import "../../mock/index.ts";
import "../../src/index.ts";

/*
 * One test that fails is enough. Vitest skips the tests after it, and would still load their files, one by one: half of
 * the time of a mutant.
 */
const run = globalThis as { hasFailed?: boolean };
if (run.hasFailed) throw new Error("A test has failed already.");
afterEach(({ task }) => {
  if (task.result?.state === "fail") run.hasFailed = true;
});

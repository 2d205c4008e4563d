import { afterEach } from "vitest";

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

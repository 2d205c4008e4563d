import { test } from "vitest";
import { browserPath } from "./browser.ts";

/** A test that needs a browser. Without one it is skipped, and so is a file with only such tests. */
export const browserTest = test.skipIf(browserPath === undefined);

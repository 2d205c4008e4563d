import { test } from "vitest";
import { browserPath } from "./browser.ts";

/** A test that needs a browser. Where there is none it is skipped, and so is the file whose tests all are of this kind. */
export const browserTest = test.skipIf(browserPath === undefined);

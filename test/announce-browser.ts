import type { Reporter } from "vitest/node";
import { BROWSER, browserPath } from "./browser.ts";

/** Reports once per run that tests are skipped without a browser, and how to install one. */
export const announceBrowser: Reporter = {
  onInit() {
    if (browserPath !== undefined) return;
    console.warn(`No ${BROWSER.name}: the tests that need a browser are skipped. To include them, ${BROWSER.install}.`);
  },
};

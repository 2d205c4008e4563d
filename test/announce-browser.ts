import { BROWSER, browserPath } from "./browser.ts";

/** Reports once per run that tests are skipped without a browser, and how to install one. */
export default function announceBrowser(): void {
  if (browserPath !== undefined) return;
  console.warn(`No ${BROWSER.name}: the tests that need a browser are skipped. To include them, ${BROWSER.install}.`);
}

import { BROWSER, browserPath } from "./browser.ts";

/** Says once a run what is skipped without a browser, and how to get one. */
export default function announceBrowser(): void {
  if (browserPath !== undefined) return;
  console.warn(`No ${BROWSER.name}: the tests that need a browser are skipped. To include them, ${BROWSER.install}.`);
}

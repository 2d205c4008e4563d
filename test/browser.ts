import { type Browser, chromium, type Page } from "playwright-core";
import { findProgram, inSearchPath, type Program } from "./find-program.ts";
import { WAIT_MS } from "./time-limits.ts";

/** A browser of the Chromium family. */
export const BROWSER: Program = {
  name: "Chromium",
  variable: "PLANT_STORE_TEST_BROWSER",
  install: "run `npx playwright-core install --with-deps chromium`, or install Chromium or Chrome",
  places: [
    chromium.executablePath(),
    ...inSearchPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
};

export const browserPath = findProgram(BROWSER);

/** Starts the browser without its background activity. */
export async function launchBrowser(env: Record<string, string | undefined> = process.env): Promise<Browser> {
  if (browserPath === undefined) throw new Error(`There is no browser: ${BROWSER.install}.`);
  return chromium.launch({ executablePath: browserPath, args: FLAGS, env, timeout: WAIT_MS });
}

/** Opens a page whose actions may take as long as any other wait of a test. */
export async function openPage(browser: Browser, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(WAIT_MS);
  return page;
}

/** Flags that turn off the browser's background activity. */
export const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

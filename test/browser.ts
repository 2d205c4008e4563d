import { win32 } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { findProgram, inSearchPath, type Machine, type Program } from "./find-program.ts";
import { WAIT_MS } from "./time-limits.ts";

/** A browser of the Chromium family. */
export const BROWSER: Program = {
  name: "Chromium",
  variable: "PLANT_STORE_TEST_BROWSER",
  install: "run `npx playwright-core install --with-deps chromium`, or install Chromium or Chrome",
  places: (machine) => [chromium.executablePath(), ...usualPlaces(machine)].filter((path) => path !== ""),
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

/** The paths at which Chromium, Chrome and Edge are installed. */
function usualPlaces(machine: Machine): string[] {
  const { platform, env } = machine;
  if (platform === "darwin") {
    const names = ["Chromium", "Google Chrome", "Microsoft Edge"];
    return names.flatMap((name) =>
      ["", env.HOME ?? ""].map((home) => `${home}/Applications/${name}.app/Contents/MacOS/${name}`),
    );
  }
  if (platform === "win32") {
    const programs = [
      "Chromium\\Application\\chrome",
      "Google\\Chrome\\Application\\chrome",
      "Microsoft\\Edge\\Application\\msedge",
    ];
    const folders = [env.LOCALAPPDATA, env.ProgramFiles, env["ProgramFiles(x86)"]].filter(
      (folder) => folder !== undefined,
    );
    return folders.flatMap((folder) => programs.map((program) => win32.join(folder, `${program}.exe`)));
  }
  const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge"];
  return [...inSearchPath(names, machine), ...names.map((name) => `/usr/bin/${name}`), "/snap/bin/chromium"];
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

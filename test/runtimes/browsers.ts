import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { launchBrowser, openPage } from "../browser.ts";
import { findProgram, inSearchPath, type Program } from "../find-program.ts";
import { WAIT_MS } from "../time-limits.ts";

type Env = Record<string, string | undefined>;

/** Opens a page in a browser with a new profile. The function that it returns ends the browser. */
export const browsers: Readonly<Record<string, (url: string, env: Env) => Promise<() => Promise<void>>>> = {
  async chromium(url, env) {
    const browser = await launchBrowser(env);
    await (await openPage(browser)).goto(url);
    return () => browser.close();
  },

  async firefox(url, env) {
    const profile = createProfile(env);
    const args = ["--headless", "--no-remote", "--profile", profile.folder, url];
    const firefox = spawn(pathOf(FIREFOX), args, { env: profile.env, stdio: "ignore" });
    return () => end([firefox], profile);
  },

  // Its browser needs a display.
  async webkit(url, env) {
    const profile = createProfile(env);
    const browser = pathOf(WEBKIT);
    const display = spawn(pathOf(XVFB), ["-displayfd", "3", "-nolisten", "tcp", "-terminate"], {
      env,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const [number] = await once(display.stdio[3] as NodeJS.ReadableStream, "data", {
      signal: AbortSignal.timeout(WAIT_MS),
    });
    const webkit = spawn(browser, [url], {
      env: { ...profile.env, DISPLAY: `:${String(number).trim()}` },
      stdio: "ignore",
    });
    return () => end([webkit, display], profile);
  },
};

const FIREFOX: Program = {
  name: "Firefox",
  variable: "PLANT_STORE_TEST_FIREFOX",
  install: "install it, on Debian with `apt-get install firefox-esr`",
  places: inSearchPath("firefox-esr", "firefox"),
};

/** The browser that WebKitGTK contains for tests. */
const WEBKIT: Program = {
  name: "WebKit",
  variable: "PLANT_STORE_TEST_WEBKIT",
  install: "install it, on Debian with `apt-get install libwebkit2gtk-4.1-0 xvfb`",
  places: ["x86_64-linux-gnu", "aarch64-linux-gnu"].flatMap((machine) =>
    ["webkit2gtk-4.1", "webkitgtk-6.0"].map((version) => `/usr/lib/${machine}/${version}/MiniBrowser`),
  ),
};

const XVFB: Program = {
  name: "Xvfb",
  variable: "PLANT_STORE_TEST_XVFB",
  install: "install it, on Debian with `apt-get install xvfb`",
  places: inSearchPath("Xvfb"),
};

function pathOf(program: Program): string {
  const path = findProgram(program);
  if (path === undefined) throw new Error(`There is no ${program.name}: ${program.install}.`);
  return path;
}

interface Profile {
  readonly folder: string;
  readonly env: Env;
}

function createProfile(env: Env): Profile {
  const folder = mkdtempSync(join(tmpdir(), "browser-"));
  return {
    folder,
    env: { ...env, HOME: folder, XDG_DATA_HOME: folder, XDG_CACHE_HOME: folder, XDG_CONFIG_HOME: folder },
  };
}

/** Ends the programs one after the other. */
async function end(programs: readonly ChildProcess[], { folder }: Profile): Promise<void> {
  for (const program of programs) {
    if (program.exitCode !== null || program.signalCode !== null) continue;
    program.kill();
    await once(program, "exit");
  }
  // The processes of a browser may still write to it.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

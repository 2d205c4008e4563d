import { expect, test } from "vitest";
import { BROWSER } from "./browser.ts";
import { findProgram, inSearchPath, type Machine } from "./find-program.ts";

const machine = (platform: NodeJS.Platform, env: Machine["env"], ...files: string[]): Machine => ({
  platform,
  env,
  exists: (path) => files.includes(path),
});

test.each([
  ["Linux, by PATH", machine("linux", { PATH: "/bin:/opt/bin" }, "/opt/bin/google-chrome"), "/opt/bin/google-chrome"],
  ["Linux, without a PATH", machine("linux", {}, "/usr/bin/chromium"), "/usr/bin/chromium"],
  [
    "macOS",
    machine("darwin", { HOME: "/Users/a" }, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ],
  [
    "macOS, installed for one user",
    machine("darwin", { HOME: "/Users/a" }, "/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium"),
    "/Users/a/Applications/Chromium.app/Contents/MacOS/Chromium",
  ],
  [
    "Windows, where every machine has Edge",
    machine(
      "win32",
      { ProgramFiles: "C:\\Program Files", "ProgramFiles(x86)": "C:\\Program Files (x86)" },
      "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
    ),
    "C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe",
  ],
  ["a machine without a browser", machine("linux", { PATH: "/bin" }), undefined],
])("a browser is found on %s", (_, of, path) => {
  expect(findProgram(BROWSER, of)).toBe(path);
});

test("Playwright's own browser comes first", () => {
  const everything: Machine = { platform: "linux", env: { PATH: "/usr/bin" }, exists: () => true };
  expect(findProgram(BROWSER, everything)).toMatch(/chrom/i);
  expect(findProgram(BROWSER, everything)).not.toMatch(/^\/usr\/bin\//);
});

test("PLANT_STORE_TEST_BROWSER names the browser to use, or none", () => {
  const env = (value: string) => ({ PLANT_STORE_TEST_BROWSER: value });
  expect(findProgram(BROWSER, machine("linux", env("/my/chrome"), "/my/chrome", "/usr/bin/chromium"))).toBe(
    "/my/chrome",
  );
  expect(findProgram(BROWSER, machine("linux", env("none"), "/usr/bin/chromium"))).toBeUndefined();
  expect(findProgram(BROWSER, machine("linux", env("required"), "/usr/bin/chromium"))).toBe("/usr/bin/chromium");
  expect(findProgram(BROWSER, machine("linux", env(""), "/usr/bin/chromium"))).toBe("/usr/bin/chromium");
});

test("a missing browser is an error with its fix if it is required or named", () => {
  const env = (value: string) => ({ PLANT_STORE_TEST_BROWSER: value });
  expect(() => findProgram(BROWSER, machine("linux", env("required")))).toThrow(
    'PLANT_STORE_TEST_BROWSER is "required", but there is no Chromium: run `npx playwright-core install',
  );
  expect(() => findProgram(BROWSER, machine("linux", env("/my/chrome")))).toThrow(
    'PLANT_STORE_TEST_BROWSER: there is no file /my/chrome; give the path of Chromium, "none" or "required"',
  );
});

test("a program is searched in PATH by the rules of the platform", () => {
  expect(inSearchPath(["redis-server"], machine("linux", { PATH: "/bin::/sbin" }))).toEqual([
    "/bin/redis-server",
    "/sbin/redis-server",
  ]);
  expect(inSearchPath(["redis-server"], machine("win32", { Path: "C:\\a;D:\\b" }))).toEqual([
    "C:\\a\\redis-server.exe",
    "D:\\b\\redis-server.exe",
  ]);
});

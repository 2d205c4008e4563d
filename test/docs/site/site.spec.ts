import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { type PreviewServer, preview } from "vite";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { launchBrowser, openPage } from "../../browser.ts";
import { browserTest } from "../../browser-test.ts";
import { absolute, filesIn, read } from "../blocks.ts";

const { pathname: base } = new URL(manifest.homepage);
const pages = filesIn("site/dist", ".html").map((path) => path.replace(/^site\/dist\/|(?:index)?\.html$/g, ""));
const running = pages.filter((path) =>
  read(`site/dist/${path.replace(/\/$|^$/, "$&index")}.html`).includes('class="run"'),
);

let server: PreviewServer;
let browser: Browser;
let page: Page;
const problems: string[] = [];

beforeAll(async () => {
  const site = { root: absolute("site"), configFile: false, base, preview: { host: "127.0.0.1", port: 0 } } as const;
  server = await preview(site);
  browser = await launchBrowser();
  page = await openPage(browser);
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", ({ message }) => problems.push(message));
});
afterAll(async () => {
  await browser.close();
  await server.close();
});
afterEach(() => expect(problems.splice(0)).toEqual([]));

async function open(path: string): Promise<void> {
  const { port } = server.httpServer.address() as AddressInfo;
  await page.goto(`http://127.0.0.1:${port}${base}${path}`);
  // Vue has mounted the page, and its keys and menus work.
  await page.waitForFunction(() => "__vue_app__" in (document.querySelector("#app") ?? {}));
}

async function search(words: string): Promise<string[]> {
  // Else the results of the last search are shown until those of this one are there.
  await page.evaluate(() => sessionStorage.clear());
  await page.keyboard.press("Control+k");
  await page.locator(".search-input").fill(words);
  await page.locator(".result mark").first().waitFor();
  const titles = await page.locator(".result .titles").allInnerTexts();
  return titles.map((title) => title.replace(/^#\s+/, "").replace(/\s*\n\s*/g, " > "));
}

describe("the site", () => {
  browserTest.each([
    ["retry", /^Errors and outcomes > When the client sends again/],
    ["429", /429/],
    ["token", /^Tokens$/],
    ["bigint", /^int64 ids$/],
    ["how do I test", /^Test your code$/],
    ["may I retry after a timeout", /^Errors and outcomes/],
    ["unknown outcome", /^Errors and outcomes > Resolve an unknown outcome$/],
    ["what did the mock receive", /^Test your code > See what the mock received$/],
    ["Playwright", /^Test runners > Playwright$/],
    ["BullMQ", /^Queues > BullMQ$/],
    ["createPlant", /createPlant\(\)$/],
    ["Failed to fetch", /^Troubleshooting > .*Failed to fetch/],
    ["ECONNREFUSED", /^Troubleshooting > .*ECONNREFUSED/],
  ])("finds the section for %s first", async (words, first) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    // The page and the index that it has loaded serve every search.
    if (!page.url().endsWith(base)) await open("");
    expect((await search(words))[0]).toMatch(first);
    await page.keyboard.press("Escape");
  });

  browserTest("shows a call and its error above the fold, and the reference one click away", async () => {
    await page.setViewportSize({ width: 1280, height: 720 });
    await open("");
    const box = await page.getByText("// unknown").boundingBox();
    expect((box?.y ?? 720) + (box?.height ?? 0)).toBeLessThan(720);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Reference" }).click();
    await page.getByRole("heading", { level: 1, name: "plant-store-client" }).waitFor();
  });

  browserTest("axe finds nothing, and no page scrolls sideways, light and dark, wide and narrow", async () => {
    const client = "reference/plant-store-client/classes/PlantStoreClient";
    const mock = "reference/plant-store-client/mock/functions/createMockPlantStore";
    const found: string[] = [];
    // try-page.spec.ts looks at try/.
    for (const path of ["", "docs/other-languages", client, mock, "search"]) {
      await page.setViewportSize({ width: 1280, height: 844 });
      await open(path === "search" ? "" : path);
      if (path === "search") await search("retry");
      await page.addScriptTag({ path: absolute("node_modules/axe-core/axe.min.js") });
      for (const [width, colorScheme] of [
        [1280, "light"],
        [1280, "dark"],
        [390, "light"],
        [390, "dark"],
      ] as const) {
        await page.setViewportSize({ width, height: 844 });
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        for (const problem of await problemsOf()) found.push(`${path}, ${width}, ${colorScheme}: ${problem}`);
      }
    }
    expect(found).toEqual([]);
  });

  browserTest.each(running)("every block of %s runs, and prints what its comments say", async (path) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await open(path);
    for (const run of await page.locator(".run").all()) {
      const code = await run.locator("xpath=..").locator("code").innerText();
      const claims = Array.from(code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm), ([, text = ""]) => text);
      await run.getByRole("button", { name: "Run" }).click();
      await run.locator("button:not([aria-disabled])").waitFor();
      const printed = (await run.locator("output").innerText()).split("\n");
      expect(
        printed.filter((line) => claims.includes(line)),
        `${printed}`,
      ).toEqual(claims);
    }
  });
});

/** What axe finds on the open page, and whether it is wider than the window. */
async function problemsOf(): Promise<string[]> {
  const options = '{ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }';
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(
    `axe.run(${options}).then(({ violations }) => violations)`,
  );
  const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [
    ...found.map(
      ({ id, nodes }) =>
        `${id} ${nodes
          .map(({ html }) => html)
          .join(" ")
          .slice(0, 300)}`,
    ),
    ...(isWide ? ["too wide"] : []),
  ];
}

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { browserTest } from "../../browser-test.ts";
import { filesIn, read } from "../blocks.ts";
import { brokenLinks, pagesOfSite } from "./built-site.ts";
import { type SiteServer, serveSite } from "./server.ts";

const guides = filesIn("docs", ".md").filter((path) => path !== "docs/README.md");
const pages = pagesOfSite();

let server: SiteServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What the browser complained of: errors in the console, exceptions, replies that are none. */
const complaints: string[] = [];

beforeAll(async () => {
  server = await serveSite();
  browser = await launchBrowser();
  context = await browser.newContext();
  page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
});

afterAll(async () => {
  await browser.close();
  expect(await server.interrupt(), "Ctrl-C ends the server").toEqual({ code: null, signal: "SIGINT" });
});

async function open(path: string): Promise<void> {
  complaints.length = 0;
  await page.goto(new URL(path, server.url).href);
}

/** The address of a guide on the site, by its file. */
function addressOf(guide: string): string {
  return `documents/${guide.slice("docs/".length, -".md".length).replaceAll("/", "-")}.html`;
}

describe("the site", () => {
  browserTest("opens, with every guide and every door in its navigation", async () => {
    await open("");
    await page.locator("#tsd-nav-container a").first().waitFor({ state: "attached" });
    const links = await page
      .locator("#tsd-nav-container a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href")));
    const doors = pages.filter((path) => path.startsWith("modules/"));
    expect(doors.length).toBeGreaterThanOrEqual(7);
    expect(links).toEqual(
      expect.arrayContaining([...guides.map(addressOf), ...doors].map((path) => expect.stringContaining(path))),
    );
    expect(complaints).toEqual([]);
  });

  browserTest("finds createPlant", async () => {
    await open("");
    await page.locator("#tsd-search-trigger").click();
    await page.locator("#tsd-search-input").fill("createPlant");
    const found = page.locator("#tsd-search-results a", { hasText: "PlantStoreClient.createPlant" }).first();
    await found.waitFor();
    await found.click();
    await page.waitForURL(/PlantStoreClient\.html#createplant/i);
    expect(complaints).toEqual([]);
  });

  browserTest.each(guides)("opens %s, under its own heading", async (guide) => {
    await open(addressOf(guide));
    const heading = /^# (.+)$/m.exec(read(guide))?.[1]?.replaceAll("`", "");
    expect(await page.locator(".tsd-typography h1").first().innerText()).toBe(heading);
    expect(complaints).toEqual([]);
  });

  browserTest.each(pages)("has no broken link in %s", (path) => {
    expect(brokenLinks(path)).toEqual([]);
  });

  browserTest.each(pages)("shows %s on a phone without scrolling sideways", async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open(path);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(complaints).toEqual([]);
  });
});

describe.runIf(pages.includes("try/index.html"))("the page to try the client on", () => {
  browserTest("is one click away, and creates a plant", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open("documents/errors.html");
    await page.getByRole("link", { name: "Try it in this browser" }).click();
    await page.getByRole("button", { name: "Create plant" }).click();
    await page.locator("#plants li").first().waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("the server of the site", () => {
  browserTest("gives nothing that is not in the site", async () => {
    const replies = await Promise.all(
      ["no-such-page.html", "..%2fpackage.json", "%2e%2e/package.json"].map((path) => fetch(`${server.url}${path}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { browserTest } from "../../browser-test.ts";
import { absolute, filesIn, read } from "../blocks.ts";
import { brokenLinks, linksOf, pagesOfSite } from "./built-site.ts";
import { type SiteServer, serveSite } from "./server.ts";

const guides = filesIn("docs", ".md").filter((path) => path !== "docs/README.md");
const pages = pagesOfSite();

let server: SiteServer;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** Errors in the console, exceptions, and responses with an error status. */
const consoleErrors: string[] = [];

beforeAll(async () => {
  server = await serveSite();
  browser = await launchBrowser();
  context = await browser.newContext();
  page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() === "error") consoleErrors.push(message.text());
  });
  page.on("pageerror", (error) => consoleErrors.push(error.message));
  page.on("response", (response) => {
    if (response.status() >= 400) consoleErrors.push(`${response.status()} ${response.url()}`);
  });
});

afterAll(async () => {
  await browser.close();
  expect(await server.interrupt(), "Ctrl-C ends the server").toEqual({ code: null, signal: "SIGINT" });
});

async function open(path: string): Promise<void> {
  consoleErrors.length = 0;
  await page.goto(new URL(path, server.url).href);
  // TypeDoc hides a page until its program has started. A hidden page takes neither focus nor text.
  await page.locator("body").waitFor();
}

const axe = absolute("test/docs/packages/node_modules/axe-core/axe.min.js");

/** The problems that axe finds on the open page. By default, axe does not check the size of targets (WCAG 2.2). */
async function brokenRules(): Promise<string[]> {
  await page.addScriptTag({ path: axe });
  const options = '{ resultTypes: ["violations"], rules: { "target-size": { enabled: true } } }';
  return page.evaluate<string[]>(`axe.run(${options}).then(({ violations }) => violations.map(({ id }) => id))`);
}

/** The headings of each table of at most four columns that is wider than the page. */
function tablesThatScroll(): Promise<string[]> {
  return page
    .locator(".tsd-typography table")
    .evaluateAll((all) =>
      (all as HTMLTableElement[])
        .filter((table) => (table.rows.item(0)?.cells.length as number) <= 4 && table.scrollWidth > table.clientWidth)
        .map((table) => table.rows.item(0)?.textContent ?? ""),
    );
}

/** The address of a guide on the site, by its file. */
function addressOf(guide: string): string {
  return `documents/${guide.slice("docs/".length, -".md".length).replaceAll("/", "-")}.html`;
}

describe("the site", () => {
  browserTest("lists every guide and every entry point in its navigation, in order", async () => {
    await open("");
    const links = await page
      .locator(".guides a")
      .evaluateAll((all) => all.map((a) => a.getAttribute("href") ?? "").filter((href) => !href.startsWith("try/")));
    const entryPoints = pages.filter((path) => path.startsWith("modules/"));
    expect(entryPoints.length).toBeGreaterThanOrEqual(7);
    expect([...links].sort()).toEqual([...guides.map(addressOf), ...entryPoints].sort());
    expect(links.slice(0, 3)).toEqual(["getting-started", "errors", "retries"].map((name) => `documents/${name}.html`));
    expect(await page.locator(".guides a").first().isVisible()).toBe(true);
    expect(consoleErrors).toEqual([]);
  });

  browserTest("has links from each guide to the next one and back", async () => {
    await open("documents/errors.html");
    await page.locator(".pager .next a").click();
    await page.waitForURL(/retries\.html$/);
    await page.locator(".pager .previous a").click();
    await page.waitForURL(/errors\.html$/);
    expect(await page.locator('.guides [aria-current="page"]').innerText()).toBe("Errors and outcomes");
  });

  browserTest.each([
    ["retry", "Retries"],
    ["timeout", "Errors and outcomes"],
    ["429", "Many plants"],
    ["401", "Tokens"],
    ["bigint", "int64 ids"],
    ["createPlant", "createPlant"],
  ])("finds by keyboard, for %s, first %s", async (term, first) => {
    await open("");
    await page.keyboard.press("Control+k");
    // All at once: the search shows results of what was typed before a pause, such as a busy machine makes.
    await page.keyboard.insertText(term);
    const found = page.locator("#tsd-search-results a");
    await found.first().waitFor();
    expect(await found.first().innerText()).toContain(first);
    const kinds = await found.evaluateAll((all) =>
      all.map((a) => (a as HTMLAnchorElement).href.includes("/documents/")),
    );
    if (term !== "createPlant") expect(kinds.slice(0, 3)).toEqual([true, true, true]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/(documents|classes|interfaces|functions)\//);
    expect(consoleErrors).toEqual([]);
  });

  browserTest("gives the fields of a type headings of one level", async () => {
    await open("types/plant-store-client_mock.Fault.html");
    const headings = page.locator(".tsd-parameter > :is(h1, h2, h3, h4, h5, h6)");
    const names = await headings.evaluateAll((all) => all.map(({ tagName }) => tagName));
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names)).toEqual(new Set(["H3"]));
  });

  browserTest("can be used by keyboard: the first Tab reaches a link to the content", async () => {
    await open("documents/retries.html");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to the content");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#content$/);
  });

  browserTest.each(pages)("%s fits a phone, and axe finds no problem", async (path) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: "light" });
    await open(path);
    expect(await tablesThatScroll(), "tables of four columns or fewer that scroll sideways").toEqual([]);
    // WCAG 2.2, 1.4.10 and 1.4.12: no scrolling sideways at 320 pixels, in a font of any width.
    await page.setViewportSize({ width: 320, height: 844 });
    await page.addStyleTag({ content: "* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important }" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    await page.setViewportSize({ width: 1280, height: 844 });
    expect(await brokenRules()).toEqual([]);
    expect(consoleErrors).toEqual([]);
  });

  browserTest("shows the whole title in the header of a narrow page", async () => {
    await page.setViewportSize({ width: 320, height: 844 });
    await open("documents/retries.html");
    const [title, header] = await page.evaluate(() => {
      const text = document.createRange();
      text.selectNodeContents(document.querySelector(".title") as Element);
      return [text, document.querySelector("header") as Element].map((each) => each.getBoundingClientRect().toJSON());
    });
    expect(title.top).toBeGreaterThanOrEqual(header.top);
    expect(title.bottom).toBeLessThanOrEqual(header.bottom);
  });

  // Pages of one kind share a template: one of each kind is walked in every view.
  const kinds = ["index", "documents/testing", "documents/many-plants", "modules/plant-store-client", "try/index"];
  const classes = ["classes/plant-store-client.PlantStoreClient", "interfaces/plant-store-client.Attempt"];
  const walked = [...kinds, ...classes].map((name) => `${name}.html`).filter((path) => pages.includes(path));
  const schemes = ["light", "dark"] as const;
  const views = [1280, 768, 390].flatMap((width) => schemes.map((colorScheme) => ({ width, colorScheme })));

  browserTest.each(walked.flatMap((path) => views.map((view) => ({ path, ...view }))))(
    "breaks no rule of axe: $path, $width pixels wide, $colorScheme",
    async ({ path, width, colorScheme }) => {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await open(path);
      expect(await brokenRules()).toEqual([]);
    },
  );

  browserTest.each(walked)("prints %s in the dark scheme as in the light one", async (path) => {
    // A4 without its margins. There, a table is a list, whose labels are pseudo-elements that axe does not see.
    await page.setViewportSize({ width: 718, height: 1000 });
    await open(path);
    const printed = async (colorScheme: "light" | "dark") => {
      await page.emulateMedia({ media: "print", colorScheme });
      return page.locator("body").evaluate((body) => {
        const { color, backgroundColor } = getComputedStyle(body);
        const labels = Array.from(body.querySelectorAll("td"), (cell) => getComputedStyle(cell, "::before").color);
        return { color, backgroundColor, labels };
      });
    };
    expect(await printed("dark")).toEqual(await printed("light"));
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await brokenRules()).toEqual([]);
    await page.emulateMedia({ media: null, colorScheme: null });
  });

  browserTest.each(guides)("opens %s, under its own heading", async (guide) => {
    await open(addressOf(guide));
    const heading = /^# (.+)$/m.exec(read(guide))?.[1]?.replaceAll("`", "");
    expect(await page.locator(".tsd-typography h1").first().innerText()).toBe(heading);
    const description = await page.locator('meta[name="description"]').getAttribute("content");
    expect(description, "the first words of the page").toMatch(/^(?!Documentation for)[^`[\]*]{30,}$/);
    expect(consoleErrors).toEqual([]);
  });

  browserTest.each(pages)("has no broken link in %s, and none to a Markdown file", (path) => {
    expect(brokenLinks(path)).toEqual([]);
    expect(linksOf(path).filter((link) => /^\.\.?\/.*\.md$/.test(link))).toEqual([]);
  });
});

// axe does not judge a single character, such as the "<" of a tag.
describe.each(["light", "dark"])("the colors of code in the %s scheme", (scheme) => {
  const [background = ""] = colorsOf("scripts/docs/site.css", `--${scheme}-code-background`);
  const colors = colorsOf("site/assets/highlight.css", `--${scheme}-hl-\\d+`);

  it.each(colors)("%s has enough contrast (WCAG 2.2, 1.4.3)", (color) => {
    const [dark, light] = [color, background].map(luminance).sort((a, b) => a - b) as [number, number];
    expect((light + 0.05) / (dark + 0.05)).toBeGreaterThanOrEqual(4.5);
  });
});

/** The values of the variables whose name matches. */
function colorsOf(file: string, name: string): string[] {
  return Array.from(read(file).matchAll(new RegExp(`${name}: (#\\w{6})`, "g")), ([, color = ""]) => color);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe("the page for an unknown address", () => {
  browserTest("leads to pages that exist, from any depth", () => {
    const { homepage } = JSON.parse(read("package.json"));
    const links = linksOf("404.html").filter((link) => !link.startsWith("data:"));
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) {
      expect(link.startsWith(homepage), link).toBe(true);
      expect(pages).toContain(link.slice(homepage.length) || "index.html");
    }
  });
});

describe("the reference", () => {
  // Of the language, of the platform, of msw and of undici.
  const language = [
    "AsyncIterable",
    "AsyncIterableIterator",
    "Iterable",
    "Omit",
    "Partial",
    "Pick",
    "Readonly",
    "Record",
  ];
  const known = [...language, "RequestInit", "HttpHandler", "Dispatcher"];

  browserTest("names no type of the package that has no page", () => {
    const unlinked = pages.flatMap((path) => {
      const names = read(`site/${path}`).matchAll(/<span class="tsd-signature-type">([A-Z]\w+)<\/span>/g);
      return Array.from(names, ([, name = ""]) => name);
    });
    expect(new Set(unlinked)).toContain("Promise");
    expect([...new Set(unlinked)].filter((name) => !(name in globalThis || known.includes(name)))).toEqual([]);
  });
});

describe.runIf(pages.includes("try/index.html"))("the page to try the client on", () => {
  browserTest("is one click away, and creates a plant", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await open("documents/errors.html");
    await page.getByRole("link", { name: "Try it in your browser" }).click();
    await page.getByRole("button", { name: "Create plant" }).click();
    await page.locator("#plants li").first().waitFor();
    expect(consoleErrors).toEqual([]);
    await page.getByRole("link", { name: "Documentation" }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
  });
});

describe("the server of the site", () => {
  browserTest.each(["documents/no-such-page.html", "documents/"])("says that there is no page at %s", async (path) => {
    const reply = await fetch(`${server.url}${path}?query`);
    expect([reply.status, await reply.text()]).toEqual([
      404,
      `There is no page at /${path}. Every guide is listed on the first page of the site: /\n`,
    ]);
  });

  browserTest("serves no file outside the site", async () => {
    const replies = await Promise.all(
      ["no-such-page.html", "..%2fpackage.json", "%2e%2e/package.json"].map((path) => fetch(`${server.url}${path}`)),
    );
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

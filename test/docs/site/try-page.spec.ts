import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, onTestFinished } from "vitest";
import { launchBrowser, openPage } from "../../browser.ts";
import { browserTest as test } from "../../browser-test.ts";
import { ABOVE_INT64 } from "../../int64-values.ts";
import { run } from "../../package/run.ts";
import { mustBe } from "../../rules-in-words.ts";
import { absolute } from "../blocks.ts";
import { serveFolder } from "./serve-folder.ts";

let site: Awaited<ReturnType<typeof serveFolder>> | undefined;
let browser: Browser | undefined;

beforeAll(async () => {
  site = await serveFolder(absolute("site/dist"));
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await site?.close();
});
afterEach(async () => {
  for (const context of browser?.contexts() ?? []) await context.close();
});

/** The page in a tab of its own, and so with its own store. */
async function open(options: BrowserContextOptions = {}): Promise<Page> {
  const page = await (browser as Browser).newPage(options);
  await page.goto(`${site?.url}/try/`);
  await button(page, "The response is lost").waitFor();
  return page;
}

function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true });
}

/** Queues a fault, or turns the switch of that name. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole("checkbox", { name }).or(button(page, name)).click();
}

/** Submits the form, and waits for the announcement of a screen reader. */
async function create(page: Page): Promise<string> {
  await button(page, "Create plant").click();
  return said(page);
}

async function said(page: Page): Promise<string> {
  await page.getByRole("status").filter({ hasText: /\w/ }).filter({ hasNotText: "Sending" }).waitFor();
  return (await page.getByRole("status").textContent()) ?? "";
}

function focused(page: Page): Promise<string | null | undefined> {
  return page.evaluate(() => document.activeElement?.textContent || document.activeElement?.id);
}

const exchanges = (page: Page) => page.locator("#exchanges li");
const plants = (page: Page) => page.locator("#plants li").allTextContents();

test("a plant is created, and its exact id is shown", async () => {
  const page = await open();
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.getByLabel("Tag").fill("climber");

  expect(await create(page)).toBe("The plant was created. Monstera deliciosa, tagged climber.");
  expect(await exchanges(page).allTextContents()).toEqual([expect.stringContaining('{"id":9007199254740993,"name"')]);
  expect(await plants(page)).toEqual(["9007199254740993Monstera deliciosaclimber"]);
  expect(await page.getByLabel("Id").inputValue()).toBe("9007199254740994");
  expect(problems).toEqual([]);
});

test("an invalid field explains its problem and has the focus, and nothing is sent", async () => {
  const page = await open();
  await page.getByLabel("Id").fill(`${ABOVE_INT64}`);
  await page.getByLabel("Name").press("Enter");

  expect(await focused(page)).toBe("id");
  const form = await page.locator("form").ariaSnapshot();
  expect(form).toContain(`The id ${mustBe.int64} ${ABOVE_INT64}.`);
  expect(await page.getByLabel("Id").getAttribute("aria-invalid")).toBe("true");
  expect(await page.getByLabel("Tag").getAttribute("aria-invalid")).toBe("false");
  expect(await exchanges(page).count()).toBe(0);
});

const MAY_EXIST = "The plant may exist.";
const NOT_CREATED = "The plant was not created.";

test.each([
  ["An error response", `${NOT_CREATED} The service rejected it: the greenhouse is full.`, undefined, 0],
  ["Too many requests: 2 minutes", `${NOT_CREATED} The service is busy. You can safely`, "Send it again", 0],
  ["Logged in", `${NOT_CREATED} Your session has expired.`, "Log in and send it again", 0],
  ["The response is lost", `${MAY_EXIST} The connection failed`, "Check the store", 1],
  ["The body is cut off", `${MAY_EXIST} The connection failed`, "Check the store", 1],
  ["The connection is reset", `${MAY_EXIST} The connection failed`, "Check the store", 0],
  ["Any response: the page of a proxy", `${MAY_EXIST} An unexpected response arrived.`, "Check the store", 0],
])("%s: the page tells the outcome, and offers only what is safe", async (fault, says, offers, stored) => {
  const page = await open();
  await choose(page, fault);

  expect(await create(page)).toContain(says);
  expect(await page.locator("#outcome button").allTextContents()).toEqual(offers === undefined ? [] : [offers]);
  expect((await plants(page)).length).toBe(stored);
  expect(await focused(page)).toBe("Create plant");
});

test("after a lost response a check finds the plant, and nothing is sent twice", async () => {
  const page = await open();
  await button(page, "The response is lost").click();
  await create(page);
  await button(page, "Check the store").press("Enter");

  expect(await said(page)).toContain("It was created.");
  expect(await focused(page)).toBe("It was created.");
  expect(await button(page, "Send it again").count()).toBe(0);
  expect(await exchanges(page).count()).toBe(1);
});

test("a call without a response can be canceled, and the plant may exist", async () => {
  const page = await open();
  await button(page, "No response").click();
  await button(page, "Create plant").click();
  await page.locator("#exchanges").getByText("waiting").waitFor();
  await button(page, "Cancel").press("Enter");

  expect(await said(page)).toContain("The plant may exist. You canceled after it had been sent.");
  expect(await focused(page)).toBe("Create plant");
});

test.each([
  [[], "created"],
  [["An error response"], "api, rejected"],
  [["Too many requests: 1 second", "The response is lost"], "connection, unknown"],
  [["Any response: the page of a proxy"], "response, unknown"],
  [["Logged in"], "token, not-sent"],
])("after %j the code on the page runs as printed, and prints what it says: %s", async (clicks, printed) => {
  const page = await open();
  for (const name of clicks) await choose(page, name);
  await create(page);
  const code = (await page.locator("#code").textContent()) ?? "";

  expect(code.split("\n").at(-1)).toBe(`// ${printed}`);
  const program = ["--input-type=module", "--eval", code];
  expect(await run(absolute(""), process.execPath, program)).toBe(`${printed}\n`);
});

test.each<[string, BrowserContextOptions]>([
  ["light", { colorScheme: "light" }],
  ["dark", { colorScheme: "dark" }],
  ["on a phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
])("%s: axe finds no problem on the page, and the page fits the width of the window", async (_, options) => {
  const page = await open(options);
  await button(page, "Too many requests: 1 second").click();
  await button(page, "The response is lost").click();
  await page.getByLabel("Name").fill("Monstera".repeat(20));
  await create(page);
  await create(page);
  await choose(page, "Logged in");
  await page.getByLabel("Id").fill("12.5");
  await button(page, "Create plant").click();
  await page.addScriptTag({ path: absolute("node_modules/axe-core/axe.min.js") });

  const { violations } = await page.evaluate<{ violations: { id: string }[] }>(
    'axe.run({ rules: { "target-size": { enabled: true } } })',
  );
  expect(violations.map(({ id }) => id)).toEqual([]);
  const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(content).toBeLessThanOrEqual(view as number);
});

test("if the worker script is missing, the page explains the fix", async () => {
  const folder = await mkdtemp(join(tmpdir(), "try-page-"));
  await cp(absolute("site/dist/try"), folder, { recursive: true });
  await rm(join(folder, "mockServiceWorker.js"));
  const bare = await serveFolder(folder);
  onTestFinished(async () => {
    await bare.close();
    await rm(folder, { recursive: true });
  });
  const page = await openPage(browser as Browser);
  await page.goto(`${bare.url}/`);

  await page.getByText("This page needs a service worker, which works over https and on localhost.").waitFor();
});

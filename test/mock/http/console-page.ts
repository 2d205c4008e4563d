import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { launchBrowser } from "../../browser.ts";

export let browser: Browser;
/** The mock of the current test. */
export let mock: HttpMockPlantStore;
/** Its console, open in Chromium. */
export let page: Page;
const consoleErrors: string[] = [];

/** Opens the console of a new mock before each test. */
export function useConsole(): void {
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  beforeEach(async () => {
    if (browser === undefined) return;
    mock = await startMockPlantStore({ basePath: "/v1" });
    page = await openConsole(mock.url);
  });
  afterEach(async () => {
    await page?.close();
    await mock?.close();
    // The page respects its own content security policy, and throws no errors.
    expect(consoleErrors.splice(0)).toEqual([]);
  });
}

export async function openConsole(url: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const opened = await browser.newPage(options);
  // Chromium logs error statuses and failed connections as well.
  opened.on("console", (message) => {
    const isError = message.type() === "error" && !/Failed to load resource|net::ERR_/.test(message.text());
    if (isError) consoleErrors.push(message.text());
  });
  opened.on("pageerror", (error) => consoleErrors.push(String(error)));
  await opened.goto(`${url}/_mock/`);
  return opened;
}

/** A visible row, counted from the newest. */
export const row = (index: number, opened: Page = page) => opened.locator("#requests summary").nth(index);

/** The texts of the visible rows, newest first. */
export const rows = async (opened: Page = page) =>
  (await opened.locator("#requests summary").allInnerTexts()).map(flat);

/** Text on one line. */
export const flat = (text: string | null | undefined): string => (text ?? "").replace(/\s+/g, " ").trim();

/** What the page says of itself. */
export const message = (opened: Page = page): Promise<string | null> => opened.textContent('#message[role="status"]');

/** What stands beside the button of the latest action. */
export const notice = async (): Promise<string> => (await page.locator(".notice").allTextContents()).join();

/** Chooses a fault; its template fills the text field. */
export const chooseFault = (type: string, opened: Page = page) => opened.selectOption("#fault", type);

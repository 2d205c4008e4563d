import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { faultTable } from "../../mock/fault-table.ts";
import { type OpenPage, openPage } from "./chromium.ts";
import { types } from "./fault-rows.ts";
import type { Page } from "./page.ts";

declare const page: Page;

describe("the MSW service worker", () => {
  let chromium: OpenPage;

  beforeAll(async () => {
    chromium = await openPage();
    await chromium.page.evaluate(() => page.start());
  }, 60_000);
  afterAll(() => chromium?.close());

  it.each(types.filter((type) => !faultTable[type].cannot.includes("browser")))(
    "%s reaches the client as the table says",
    async (type) => {
      const { kind, outcome, isStored } = faultTable[type];
      expect(await chromium.page.evaluate((type) => page.observe(type), type)).toEqual({ kind, outcome, isStored });
    },
  );

  it.each(types.filter((type) => faultTable[type].cannot.includes("browser")))(
    "%s is refused, and the message names a form that can do it",
    async (type) => {
      await expect(chromium.page.evaluate((type) => page.observe(type), type)).rejects.toThrow(
        "the MSW service worker is in use and cannot do it; use the in-memory form",
      );
    },
  );
});

import { afterAll, beforeAll, expect } from "vitest";
import { rowOf } from "../../mock/service/faults/check-fault.ts";
import { browserTest as it } from "../browser-test.ts";
import { type OpenPage, openPage } from "./chromium.ts";
import { type RowName, rows } from "./fault-rows.ts";
import type { Page } from "./page.ts";

/** Only inside `evaluate`, where the code runs in the page. */
declare const page: Page;

let chromium: OpenPage;

beforeAll(async () => {
  chromium = await openPage();
  await chromium.page.evaluate(() => page.mock.start());
});
afterAll(() => chromium?.close());

const all = Object.entries(rows).map(([name, row]) => ({ name, ...row, ...rowOf(row.example) }));
const observe = (name: string) => chromium.page.evaluate((name) => page.observe(name), name as RowName);

it.each(all.filter(({ isInMemoryOnly }) => !isInMemoryOnly))(
  "$name reaches the client as the table says",
  async ({ name, kind, outcome, isStored }) => {
    expect(await observe(name)).toEqual({ kind, outcome, isStored });
  },
);

it.each(all.filter(({ isInMemoryOnly }) => isInMemoryOnly))(
  "$name is refused, and the message names the mock that can do it",
  async ({ name }) => {
    await expect(observe(name)).rejects.toThrow(
      "only the in-memory mock can reproduce it; use the fetch of a mock from createMockPlantStore()",
    );
  },
);

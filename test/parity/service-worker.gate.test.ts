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

it("keeps sessions apart, and ids exact", async () => {
  const seen = await chromium.page.evaluate(async () => {
    const sessions = [page.mock.session(), page.mock.session()];
    const ids = [9007199254740993n, -(2n ** 63n)];
    await Promise.all(
      sessions.map((session, index) =>
        new page.PlantStoreClient(session.clientOptions).createPlant({ id: ids[index] as bigint, name: "Fern" }),
      ),
    );
    return sessions.map(({ plants, requests }) => [...plants, requests.last?.plant].map((plant) => `${plant?.id}`));
  });
  expect(seen).toEqual([
    ["9007199254740993", "9007199254740993"],
    ["-9223372036854775808", "-9223372036854775808"],
  ]);
});

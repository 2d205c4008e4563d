import { afterAll, beforeAll, expect } from "vitest";
import { rowOf } from "../../mock/service/faults/fault.ts";
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

it("starts and stops any number of times", async () => {
  const seen = await chromium.page.evaluate(async () => {
    const { mock } = page;
    const statuses: (number | string)[] = [];
    const send = () => fetch(`${mock.baseUrl}/x`).then(({ status }) => status, String);
    for (let round = 0; round < 2; round++) {
      await mock.stop();
      await mock.stop();
      statuses.push(await send());
      await Promise.all([mock.start(), mock.start()]);
      statuses.push(await send());
    }
    return statuses;
  });
  expect(seen).toEqual(["TypeError: Failed to fetch", 404, "TypeError: Failed to fetch", 404]);
});

it("reports a missing worker script at every start", async () => {
  const fresh = await openPage();
  try {
    const seen = await fresh.page.evaluate(async () => {
      const mock = page.setupMockPlantStoreWorker({ workerUrl: "/missing.js" });
      const failures = [await mock.start().catch(String), await mock.start().catch(String)];
      await mock[Symbol.asyncDispose]();
      return failures;
    });
    expect(seen).toEqual([expect.stringContaining("missing.js"), expect.stringMatching(/Error|Violation/)]);
  } finally {
    await fresh.close();
  }
});

it("does not start with a worker script that cannot intercept the page's requests", async () => {
  const fresh = await openPage();
  try {
    const failure = await fresh.page.evaluate(() =>
      page.setupMockPlantStoreWorker({ workerUrl: "/app/mockServiceWorker.js" }).start().catch(String),
    );
    expect(failure).toContain("put it in a folder above that page");
  } finally {
    await fresh.close();
  }
});

it("takes only the paths of operations if the base URL is the page's own origin", async () => {
  const fresh = await openPage();
  try {
    const seen = await fresh.page.evaluate(async () => {
      const mock = page.setupMockPlantStoreWorker({ baseUrl: location.origin });
      await mock.start();
      const created = await new page.PlantStoreClient(mock.clientOptions).createPlant({ id: 1, name: "Fern" });
      const script = await fetch("/page.js");
      const statuses = [
        (await fetch("/plants", { method: "PURGE" })).status,
        script.status,
        (await fetch("/elsewhere")).status,
      ];
      mock.requests.clear();
      const other = await fetch("/plants/");
      const { count } = mock.requests;
      await mock.stop();
      return { created, statuses, type: script.headers.get("content-type"), text: await other.text(), count };
    });
    // The page's server answers 404 without a body to everything that it does not have.
    expect(seen).toEqual({
      created: { name: "Fern" },
      statuses: [405, 200, 404],
      type: "text/javascript",
      text: "",
      count: 0,
    });
  } finally {
    await fresh.close();
  }
});

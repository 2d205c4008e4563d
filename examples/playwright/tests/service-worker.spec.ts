// The service in the page's own service worker: no server at all. Each test has a browser context, and so a store, of
// its own. A fault is plain data, so that it can be handed to the page.

import { expect, test } from "@playwright/test";
import { faults } from "plant-store-client/mock";
import { plant } from "./plant.ts";

test.beforeEach(async ({ page }) => {
  await page.goto("/mocked.html");
  await page.waitForFunction(() => window.plantStore !== undefined);
});
// Fails the test if a fault was never used, or if a request went to an unknown path.
test.afterEach(({ page }) => page.evaluate(() => window.store.verify()));

test("a plant is created with every digit of its id", async ({ page }) => {
  await plant(page, "9007199254740993", "Wollemia nobilis");

  await expect(page.getByRole("status")).toHaveText("Wollemia nobilis is planted.");
  expect(await page.evaluate(() => [...window.store.plants])).toEqual([
    { id: 9007199254740993n, name: "Wollemia nobilis" },
  ]);
  expect(await page.evaluate(() => window.store.requests.last?.bodyText)).toContain('"id":9007199254740993');
});

test("the reason of the service is shown", async ({ page }) => {
  await page.evaluate((fault) => window.store.inject(fault), faults.apiError(17, "the greenhouse is full"));

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("Not planted: the greenhouse is full");
});

test("a lost reply leaves the page unsure, and nothing is sent twice", async ({ page }) => {
  await page.evaluate((fault) => window.store.inject(fault), faults.lostResponse());

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("It may be planted: please look before you plant it again.");
  expect(await page.evaluate(() => window.store.plants.size)).toBe(1);
});

test("the page waits and sends again when the service is busy", async ({ page }) => {
  await page.evaluate((fault) => window.store.inject(fault), faults.rateLimited(0));

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("Rosa canina is planted.");
  expect(await page.evaluate(() => [...window.store.requests].map(({ status }) => status))).toEqual([429, 200]);
});

// The service on a real port: for pages that are built for production, and for code on a server too.

import { expect, test } from "@playwright/test";
import { faults, type MockSession } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import { plant } from "./plant.ts";

let store: HttpMockPlantStore;
test.beforeAll(async () => {
  store = await startMockPlantStore({ cors: true });
});
test.afterAll(() => store.close());

// A session for each test: plants, faults and recorded requests of its own, matched by bearer token.
let session: MockSession;
test.beforeEach(async ({ page }) => {
  session = store.session();
  await page.addInitScript((options) => {
    window.plantStore = options;
  }, session.clientOptions);
  await page.goto("/");
});
// Fails the test if a fault was never used, or if a request went to an unknown path.
test.afterEach(() => session.verify());

test("a plant is created with every digit of its id", async ({ page }) => {
  await plant(page, "9007199254740993", "Wollemia nobilis");

  await expect(page.getByRole("status")).toHaveText("Wollemia nobilis is planted.");
  expect(session.plants.get(9007199254740993n)?.name).toBe("Wollemia nobilis");
  expect(session.requests.last?.bodyText).toBe('{"id":9007199254740993,"name":"Wollemia nobilis"}');
});

test("the reason of the service is shown", async ({ page }) => {
  session.inject(faults.apiError(17, "the greenhouse is full"));

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("Not planted: the greenhouse is full");
});

test("a reply that breaks off leaves the page unsure, and nothing is sent twice", async ({ page }) => {
  // Not lostResponse(): if a reused connection closes without a reply, Chromium itself sends the POST again, and then
  // there are two plants.
  session.inject(faults.truncatedBody());

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("It may be planted: please look before you plant it again.");
  expect([...session.plants]).toEqual([{ id: 1, name: "Rosa canina" }]);
});

test("the page waits and sends again when the service is busy", async ({ page }) => {
  session.inject(faults.rateLimited(0));

  await plant(page, "1", "Rosa canina");

  await expect(page.getByRole("status")).toHaveText("Rosa canina is planted.");
  expect([...session.requests].map(({ status }) => status)).toEqual([429, 200]);
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { startMockPlantStore } from "../../mock/http.ts";
import { faults } from "../../mock/index.ts";
import { launchBrowser } from "../browser.ts";
import { browserTest as test } from "../browser-test.ts";

// Explains why the recipe for Playwright truncates a response instead of losing it: no script can prevent this re-send.

const store = await startMockPlantStore({ cors: true });
let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await store.close();
});

test.each([
  ["closes without a reply", "sends the POST again", faults.lostResponse(), 2, 2],
  ["is reset", "sends the POST again", faults.networkError(), 2, 1],
  ["closes within the reply's body", "does not send it again", faults.truncatedBody(), 1, 1],
])("when a connection that was used before %s, Chromium %s", async (_how, _does, fault, sent, stored) => {
  const session = store.session();
  session.inject(fault);

  const page = await browser.newPage();
  await page.evaluate(async ({ baseUrl, token }) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    // The CORS preflight has already used the connection.
    const reply = fetch(`${baseUrl}/plants`, { method: "POST", headers, body: '{"id":1,"name":"Rosa canina"}' });
    await reply.then((response) => response.text()).catch(() => undefined);
  }, session.clientOptions);

  expect(session.requests.count).toBe(sent);
  expect(session.plants.size).toBe(stored);
});

test("if the service refuses a repeated id, a page sees only the refusal of the plant that Chromium sent twice", async () => {
  await using strict = await startMockPlantStore({ cors: true, duplicateIds: "reject" });
  strict.inject(faults.lostResponse());

  const page = await browser.newPage();
  const status = await page.evaluate(async ({ baseUrl, token }) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const reply = await fetch(`${baseUrl}/plants`, { method: "POST", headers, body: '{"id":1,"name":"Rosa canina"}' });
    return reply.status;
  }, strict.clientOptions);

  expect(status).toBe(400);
  expect(strict.plants.size).toBe(1);
});

import { ServerResponse } from "node:http";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { launchBrowser, openPage } from "../../browser.ts";
import { browserTest as it } from "../../browser-test.ts";

let browser: Browser;
let mock: HttpMockPlantStore;
beforeAll(async () => {
  browser = await launchBrowser();
  mock = await startMockPlantStore();
});
afterAll(async () => {
  await browser?.close();
  await mock?.close();
});

describe("a page of another origin", () => {
  it("cannot read the state, but has links to the control API", async () => {
    const opened = await openPage(browser);
    await opened.goto(`${mock.url.replace("127.0.0.1", "localhost")}/no-page`);
    // The page itself never learns the status.
    const sent = vi.spyOn(ServerResponse.prototype, "writeHead");
    for (const load of [
      (url: string) => void fetch(url, { mode: "no-cors" }).catch(() => {}),
      (url: string) => void document.body.append(Object.assign(new Image(), { src: url })),
      (url: string) => void document.body.append(Object.assign(document.createElement("iframe"), { src: url })),
    ]) {
      sent.mockClear();
      await opened.evaluate(load, `${mock.url}/_mock/state`);
      const statuses = () => sent.mock.calls.map(([status]) => status);
      await expect.poll(statuses).toContain(403);
      expect(statuses()).not.toContain(200);
    }
    sent.mockRestore();
    await opened.evaluate(
      (href) => Object.assign(document.createElement("a"), { href }).click(),
      `${mock.url}/_mock/plants`,
    );
    await expect.poll(() => opened.textContent("body")).toBe('{"size":0,"plants":[]}');
    await opened.close();
  });
});

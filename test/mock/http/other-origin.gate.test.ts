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
  interface Call {
    method?: string;
    mode?: "no-cors";
    headers?: Record<string, string>;
    body?: string;
  }

  /** The response that a page at the root of `from` receives. */
  async function fetchFrom(from: HttpMockPlantStore, url: string, init: Call): Promise<string> {
    const opened = await openPage(browser);
    await opened.goto(`${from.url}/no-page`); // The console's policy lets it call nobody else.
    const result = await opened.evaluate(
      ([url, init]) =>
        fetch(url, init).then(
          async (response) => `${response.status} ${await response.text()}`,
          (error) => `${error}`,
        ),
      [url, init] as const,
    );
    await opened.close();
    return result;
  }

  const create = {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer any" },
    body: '{"id":1,"name":"Ficus"}',
  };

  it("may call the service only if cors is set", async () => {
    await using open = await startMockPlantStore({ cors: true });
    expect(await fetchFrom(mock, `${open.baseUrl}/plants`, create)).toBe('200 {"name":"Ficus"}');
    expect(await fetchFrom(open, `${mock.baseUrl}/plants`, create)).toBe("TypeError: Failed to fetch");
    expect(mock.plants.size).toBe(0);
  });

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

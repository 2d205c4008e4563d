import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { browserTest as it } from "../../browser-test.ts";
import { post } from "./post.ts";

let browser: Browser;
let mock: HttpMockPlantStore;
let page: Page;
const complaints: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
  mock = await startMockPlantStore({ basePath: "/v1" });
  page = await open(mock.url);
}, 60_000);
afterEach(() => mock.reset());
afterAll(async () => {
  await browser?.close();
  await mock?.close();
});

async function open(url: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const opened = await browser.newPage(options);
  // A refusal of the control API shows as a failed load; what the page itself does wrong is an error or a CSP report.
  opened.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  opened.on("pageerror", (error) => complaints.push(String(error)));
  await opened.goto(`${url}/_mock/`);
  return opened;
}

/** The cells of the newest exchange or plant. */
function newest(rows: "request-rows" | "plant-rows"): Promise<string[]> {
  return page.locator(`#${rows} tr`).first().locator("td").allInnerTexts();
}

describe("the console", () => {
  it("sends a plant whose id no number holds, digit for digit", async () => {
    await page.fill("#plant-id", "9223372036854775807");
    await page.fill("#plant-name", "Welwitschia mirabilis");
    await page.fill("#plant-tag", "gymnosperm");
    await page.click("text=Send >> nth=-1");
    await expect
      .poll(() => page.textContent("#answer"))
      .toBe('200 {"name":"Welwitschia mirabilis","tag":"gymnosperm"}');
    expect([...mock.plants]).toEqual([{ id: 9223372036854775807n, name: "Welwitschia mirabilis", tag: "gymnosperm" }]);
    await expect
      .poll(() => newest("plant-rows"))
      .toEqual(["9223372036854775807", "Welwitschia mirabilis", "gymnosperm"]);
    await expect.poll(() => page.textContent("#plant-count")).toBe("1");
  });

  it("sends what is no plant as well, and shows the refusal", async () => {
    await page.fill("#plant-id", "seven");
    await page.fill("#plant-tag", "");
    await page.press("#plant-id", "Enter");
    await expect.poll(() => page.textContent("#answer")).toContain("400 ");
    expect(mock.requests.last?.bodyText).toBe('{"id":"seven","name":"Welwitschia mirabilis"}');
    await page.fill("#plant-id", "1.5");
    await page.fill("#token", "");
    await page.press("#plant-id", "Enter");
    await expect.poll(() => page.textContent("#answer")).toContain("401 ");
    await page.fill("#token", "any");
  });

  it("lists exchanges as they come, with status, provenance and fault, and updates those that wait", async () => {
    const gate = mock.hold();
    mock.inject(faults.rateLimited(1));
    const held = post(mock.baseUrl, '{"id":5,"name":"held"}', mock.token);
    await gate.arrived(1);
    await expect.poll(() => newest("request-rows")).toContain("waiting");
    gate.release();
    await held;
    await expect
      .poll(() => newest("request-rows"))
      .toEqual([
        expect.stringMatching(/\d/),
        "POST /v1/plants",
        "5 held",
        mock.labelOf(mock.token),
        "429",
        "injected",
        "rateLimited",
        expect.stringMatching(/^\d+\.\d ms$/),
      ]);
    mock.inject(faults.lostResponse());
    await post(mock.baseUrl, '{"id":6,"name":"lost"}').catch(() => {});
    await expect.poll(() => newest("request-rows")).toContain("200 lost");
    mock.inject(faults.networkError());
    await post(mock.baseUrl, "{").catch(() => {});
    await expect.poll(() => newest("request-rows")).toContain("no reply");
    await post(mock.baseUrl, "{");
    await expect.poll(() => newest("request-rows")).toContainEqual(expect.stringMatching(/^assumed\s+json$/));
  });

  it("shows names and bodies as text, whatever they hold, and leaves open what is open", async () => {
    const name = "<img src=x onerror=\"document.title='broken'\">";
    await post(mock.baseUrl, JSON.stringify({ id: 1, name, tag: "<b>" }));
    await expect.poll(() => newest("plant-rows")).toEqual(["1", name, "<b>"]);
    await page.locator("#request-rows summary").first().click();
    await post(mock.baseUrl, '{"id":2,"name":"next"}');
    await expect.poll(() => newest("request-rows")).toContain("2 next");
    expect(await page.locator("#request-rows details[open] pre").innerText()).toContain(
      `sent  {"id":1,"name":"<img src=x`,
    );
    expect(await page.title()).toBe("Plant Store Mock");
    expect(await page.locator("td img, td b").count()).toBe(0);
  });

  it("injects a fault, and says what is wrong with one", async () => {
    await page.selectOption("#fault", "reply");
    await page.fill("#fault-status", "503");
    await page.fill("#times", "1");
    await page.press("#times", "Enter");
    await expect.poll(() => page.textContent("#message")).toBe("reply waits for its request.");
    expect((await post(mock.baseUrl, '{"id":1,"name":"a"}')).status).toBe(503);
    await page.fill("#fault-status", "99");
    await page.press("#times", "Enter");
    await expect.poll(() => page.textContent("#message")).toBe("fault.status: must be an integer from 200 to 599");
    await page.selectOption("#fault", "hang");
    expect(await page.locator("#fault-fields input").count()).toBe(0);
  });

  it("resets the session that is chosen", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', "console-token");
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", { index: 1 });
    await expect.poll(() => newest("plant-rows")).toContain("of the session");
    expect(await page.inputValue("#token")).toBe("");
    await page.click("#reset");
    await expect.poll(() => page.isVisible("#no-plants")).toBe(true);
    expect([mock.plants.size, await page.textContent("#message")]).toEqual([1, "The session is as at the start."]);
    await fetch(`${mock.url}/_mock/sessions/${session}`, { method: "DELETE" });
    await expect.poll(() => page.inputValue("#session")).toBe("root");
  });

  it("is used with the keyboard alone: every control has a name and is reached in order", async () => {
    const names: string[] = [];
    await page.reload();
    await page.keyboard.press("Tab");
    for (let i = 0; i < 40; i++) {
      const name = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        if (element === null || element === document.body) return undefined;
        return element.getAttribute("aria-labelledby") ?? element.labels?.[0]?.textContent ?? element.textContent ?? "";
      });
      if (name === undefined) break;
      names.push(name.trim());
      await page.keyboard.press("Tab");
    }
    expect(names).not.toContain("");
    const order = [
      "Skip to the exchanges",
      "Session",
      "Reset",
      "Id",
      "Name",
      "Send",
      "Fault",
      "Times",
      "Inject",
      "exchanges-title",
      "plants-title",
    ];
    expect(names.filter((name) => order.includes(name))).toEqual(order);
    expect(await page.getAttribute("#message", "role")).toBe("status");
  });

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
    ["light", 320],
  ] as const)(
    "reads well in %s at a width of %i: text stands out, nothing is cut off sideways",
    async (colorScheme, width) => {
      await post(mock.baseUrl, `{"id":9223372036854775807,"name":"${"long".repeat(40)}"}`);
      await post(mock.baseUrl, "{");
      const opened = await open(mock.url, { colorScheme, viewport: { width, height: 800 } });
      await opened.waitForSelector("#plant-rows tr");
      expect(await opened.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const ratios = await opened.evaluate(() => {
        const luminance = (color: string) => {
          const channels = (color.match(/[\d.]+/g) ?? []).slice(0, 3).map((text) => Number(text) / 255);
          const [red = 0, green = 0, blue = 0] = channels.map((c) =>
            c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
          );
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
        };
        const background = (element: Element | null): string => {
          const color = element === null ? "rgb(255, 255, 255)" : getComputedStyle(element).backgroundColor;
          return color === "rgba(0, 0, 0, 0)" ? background(element?.parentElement ?? null) : color;
        };
        return [...document.querySelectorAll("h1, h2, label, td, th, button, input, .hint, .badge")].map((element) => {
          const pair = [luminance(getComputedStyle(element).color), luminance(background(element))].sort(
            (a, b) => b - a,
          );
          return [element.outerHTML.slice(0, 60), ((pair[0] ?? 0) + 0.05) / ((pair[1] ?? 0) + 0.05)] as const;
        });
      });
      expect(ratios.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
      await opened.close();
    },
  );

  it("asks for the control token where the mock does", async () => {
    const guarded = await startMockPlantStore({ controlToken: "control-secret" });
    const opened = await open(guarded.url);
    await opened.waitForSelector("#unlock:not([hidden])");
    await opened.fill("#control-token", "wrong");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => opened.textContent("#message")).toContain("must be `Bearer <control token>`");
    await opened.fill("#control-token", "control-secret");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => opened.textContent("#address")).toBe(guarded.url);
    expect(await opened.isVisible("#unlock")).toBe(false);
    await guarded.close();
    await expect.poll(() => opened.textContent("#message"), { timeout: 10_000 }).toBe("The mock does not answer.");
    await opened.close();
  });

  it("breaks no rule of its own policy, and has no error of its own", () => {
    expect(complaints.filter((text) => !/ERR_(CONNECTION|EMPTY)/.test(text))).toEqual([]);
  });
});

describe("a page of another origin", () => {
  interface Call {
    method?: string;
    mode?: "no-cors";
    headers?: Record<string, string>;
    body?: string;
  }

  /** What a page at the root of `from` gets. */
  async function fetchFrom(from: HttpMockPlantStore, url: string, init: Call): Promise<string> {
    const opened = await browser.newPage();
    await opened.goto(from.url);
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

  it("calls the service where that was asked for, and only then", async () => {
    await using open = await startMockPlantStore({ cors: true });
    expect(await fetchFrom(mock, `${open.baseUrl}/plants`, create)).toBe('200 {"name":"Ficus"}');
    expect(await fetchFrom(open, `${mock.baseUrl}/plants`, create)).toBe("TypeError: Failed to fetch");
    expect(mock.plants.size).toBe(0);
  });

  it("never controls the mock", async () => {
    await using open = await startMockPlantStore({ cors: true });
    open.plants.add({ id: 1, name: "Ficus" });
    expect(await fetchFrom(mock, `${open.url}/_mock/plants`, {})).toBe("TypeError: Failed to fetch");
    await fetchFrom(mock, `${open.url}/_mock/reset`, { method: "POST", mode: "no-cors" });
    expect(open.plants.size).toBe(1);
  });
});

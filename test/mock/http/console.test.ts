import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { faults } from "plant-store-client/mock";
import { type HttpMockPlantStore, startMockPlantStore } from "plant-store-client/mock/http";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from "vitest";
import { launchBrowser } from "../../browser.ts";
import { browserTest as it } from "../../browser-test.ts";
import { post } from "./post.ts";

let browser: Browser;
let mock: HttpMockPlantStore;
let page: Page;
const consoleErrors: string[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
}, 60_000);
afterAll(() => browser?.close());

beforeEach(async () => {
  if (browser === undefined) return;
  mock = await startMockPlantStore({ basePath: "/v1" });
  page = await open(mock.url);
});
afterEach(async () => {
  await page?.close();
  await mock?.close();
  // The page respects its own content security policy, and throws no errors.
  expect(consoleErrors.splice(0)).toEqual([]);
});

async function open(url: string, options: Parameters<Browser["newPage"]>[0] = {}): Promise<Page> {
  const opened = await browser.newPage(options);
  // Chromium logs error statuses and failed connections as well.
  opened.on("console", (message) => {
    const isError = message.type() === "error" && !/Failed to load resource|net::ERR_/.test(message.text());
    if (isError) consoleErrors.push(message.text());
  });
  opened.on("pageerror", (error) => consoleErrors.push(String(error)));
  await opened.goto(`${url}/_mock/`);
  return opened;
}

/** The texts of the visible rows, newest first. */
function rows(opened = page): Promise<string[]> {
  return opened.locator('#exchange-rows [role="option"]').allInnerTexts();
}

/** Text on one line. */
const flat = (text: string | null | undefined) => (text ?? "").replace(/\s+/g, " ").trim();

const message = (opened = page) => opened.textContent("#message");

describe("the console", () => {
  it("sends an id beyond 2^53 exactly, and shows the request at once", async () => {
    await page.fill("#plant-id", "9223372036854775807");
    await page.fill("#plant-name", "Welwitschia mirabilis");
    await page.fill("#plant-tag", "gymnosperm");
    await page.press("#plant-tag", "Enter");
    await expect
      .poll(() => page.textContent("#answer"))
      .toBe('200 {"name":"Welwitschia mirabilis","tag":"gymnosperm"}');
    expect([...mock.plants]).toEqual([{ id: 9223372036854775807n, name: "Welwitschia mirabilis", tag: "gymnosperm" }]);
    await expect
      .poll(async () => flat((await rows())[0]))
      .toMatch(/^200 POST \/v1\/plants [\d:]+ 9223372036854775807 Welw/);
    await expect
      .poll(async () => flat(await page.locator("#plant-rows tr").first().innerText()))
      .toBe("9223372036854775807 Welwitschia mirabilis gymnosperm");
    expect(await page.textContent("#plant-count")).toBe("1");
  });

  it("sends an invalid plant too, and shows the rejection with its reason", async () => {
    await page.fill("#plant-id", "seven");
    await page.fill("#plant-name", "Welwitschia mirabilis");
    await page.fill("#plant-tag", "");
    await page.press("#plant-id", "Enter");
    await expect.poll(() => page.textContent("#answer")).toContain("400 ");
    expect(mock.requests.last?.bodyText).toBe('{"id":"seven","name":"Welwitschia mirabilis"}');
    await page.locator('[role="option"]').first().click();
    await expect
      .poll(async () => flat(await page.textContent("#details .why")))
      .toMatch(
        /^\/id: must be an integer .+ The contract does not specify this: .+ The mock's default: .+ Options that change it: replies\.newPlant/,
      );
    expect(flat(await page.locator("#details pre").first().innerText())).toBe(
      '{ "id": "seven", "name": "Welwitschia mirabilis" }',
    );
  });

  it("shows held requests and releases them; shows queued faults and removes them", async () => {
    mock.inject(faults.delay(5), { times: 2, when: { tag: "slow" } });
    await expect
      .poll(async () => flat(await page.innerText("#queued-faults")))
      .toBe("delay (5) · 2 of 2 left · when tag is slow Remove");
    await page.click('text="Remove"');
    await expect.poll(() => page.textContent("#fault-count")).toBe("0");
    await page.click("#hold");
    await expect.poll(() => page.locator("#gates > li").count()).toBe(1);
    const held = post(mock.baseUrl, '{"id":5,"name":"held"}', mock.token);
    await expect.poll(async () => flat((await rows())[0])).toMatch(/^waiting POST/);
    expect(flat(await page.innerText("#gates"))).toBe("Gate holds 1 Release POST /v1/plants, id 5");
    await page.click('text="Release"');
    expect((await held).status).toBe(200);
    await expect.poll(async () => flat((await rows())[0])).toMatch(/^200 POST/);
    await expect.poll(() => page.textContent("#held-count")).toBe("0");
  });

  it("names an incomplete response, and explains why Chromium sends a request twice", async () => {
    for (const [fault, text] of [
      [faults.lostResponse(), "lost"],
      [faults.truncatedBody(), "incomplete"],
      [faults.networkError(), "no response"],
    ] as const) {
      mock.inject(fault);
      await post(mock.baseUrl, '{"id":6,"name":"x"}')
        .then((reply) => reply.text())
        .catch(() => {});
      await expect.poll(async () => flat((await rows())[0])).toMatch(new RegExp(`^${text} POST`));
    }
    await page.locator('[role="option"]').first().click();
    await expect.poll(() => page.textContent("#details .note")).toContain("Chromium itself sends a request again");
    mock.inject(faults.lostResponse());
    await expect.poll(() => page.textContent("#fault-count")).toBe("1");
    await page.fill("#plant-id", "77");
    await page.press("#plant-id", "Enter");
    await expect.poll(() => page.textContent("#answer")).toContain("Chromium itself sends a request again");
  });

  it("shows names and bodies as text, never as HTML", async () => {
    const name = "<img src=x onerror=\"document.title='broken'\">";
    await post(mock.baseUrl, JSON.stringify({ id: 1, name, tag: "<b>" }));
    await expect.poll(async () => (await rows())[0]).toContain(name);
    await page.locator('[role="option"]').first().click();
    await expect.poll(() => page.locator("#details pre").first().innerText()).toContain("<img src=x onerror=");
    expect(await page.title()).toBe("Plant Store Mock");
    expect(await page.locator("main img, main b").count()).toBe(0);
    await post(mock.baseUrl, JSON.stringify({ id: 2, name: "a\u202egnp.exe\u0007" }), "A".repeat(4000));
    await expect.poll(async () => (await rows())[0]).toContain("2 a\\u202egnp.exe\\u0007");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it("copies a request as curl, and makes the mock send it again", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await post(mock.baseUrl, '{"id":9223372036854775807,"name":"it\'s"}', mock.token);
    await expect.poll(async () => (await rows())[0]).toContain("it's");
    await page.locator('[role="option"]').first().click();
    await page.click('text="Copy as curl"');
    await expect.poll(message).toContain("Copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl -X POST '${mock.baseUrl}/plants'`);
    expect(copied).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(copied).toContain(`--data-raw '{"id":9223372036854775807,"name":"it'\\''s"}'`);
    expect(copied).not.toMatch(/content-length|token#/);
    const { count } = mock.requests;
    await page.click('text="Replay"');
    await expect.poll(() => mock.requests.count).toBe(count + 1);
    expect(mock.requests.last).toMatchObject({ plant: { id: 9223372036854775807n }, token: mock.labelOf(mock.token) });
  });

  it("filters by status and by text", async () => {
    await post(mock.baseUrl, '{"id":31,"name":"needle"}');
    await post(mock.baseUrl, "{");
    await expect.poll(() => page.textContent("#exchange-count")).toBe("2");
    await page.selectOption("#filter-status", "4");
    await expect.poll(async () => (await rows()).map((row) => flat(row).slice(0, 3))).toEqual(["400"]);
    expect(await page.textContent("#exchange-count")).toBe("1 of 2");
    await page.selectOption("#filter-status", "");
    await page.fill("#filter-text", "NEEDLE");
    await expect.poll(async () => (await rows()).map((row) => flat(row).slice(0, 3))).toEqual(["200"]);
    mock.inject(faults.reply({ status: 302, headers: { Location: "/elsewhere" } }));
    await fetch(`${mock.baseUrl}/plants`, { method: "POST", redirect: "manual" });
    mock.inject(faults.apiError(17, "full"), { when: { id: 32 } });
    mock.inject(faults.reply({ status: 500, body: "oops" }));
    await post(mock.baseUrl, '{"id":33,"name":"needle"}');
    mock.inject(faults.truncatedBody());
    await post(mock.baseUrl, '{"id":34,"name":"needle"}')
      .then((reply) => reply.text())
      .catch(() => {});
    await page.fill("#filter-text", "");
    const statuses = async () => (await rows()).map((row) => flat(row).split(" ")[0]);
    for (const [filter, expected] of [
      ["2", ["200"]],
      ["3", ["302"]],
      ["4", ["400"]],
      ["5", ["500"]],
      ["none", ["incomplete"]],
    ] as const) {
      await page.selectOption("#filter-status", filter);
      await expect.poll(statuses, { message: filter }).toEqual(expected);
    }
    const filters = await page.locator("#filter-status option").allInnerTexts();
    expect(filters).toEqual(["Any status", "2xx", "3xx", "4xx", "5xx", "Incomplete response"]);
    await page.selectOption("#filter-status", "");
    await page.fill("#filter-text", "nothing like it");
    await expect.poll(() => page.textContent("#no-exchanges")).toBe("No request matches the filters.");
  });

  it("injects a fault with its fields, for the plants given in the form", async () => {
    await page.click("[data-fault=reply]");
    await page.fill("#fault-status", "503");
    await page.fill("#when-id", "9223372036854775807");
    await page.press("#when-id", "Enter");
    await expect.poll(message).toBe("Fault reply queued.");
    expect((await post(mock.baseUrl, '{"id":9223372036854775806,"name":"a"}')).status).toBe(200);
    expect((await post(mock.baseUrl, '{"id":9223372036854775807,"name":"a"}')).status).toBe(503);
    await page.fill("#fault-status", "99");
    await page.press("#fault-status", "Enter");
    await expect.poll(message).toContain("fault.status: must be an integer from 200 to 599");
    await page.fill("#when-id", "");
    await page.click("[data-fault=hang]");
    expect(await page.locator("#fault-fields input").count()).toBe(0);
    await page.fill("#times", "");
    await page.click('text="Inject"');
    await expect.poll(async () => flat(await page.innerText("#queued-faults"))).toBe("hang · every request Remove");
    await page.click("[data-fault=hang]");
    expect(await page.isVisible("#inject")).toBe(false);
  });

  it("verifies the selected session, and resets it after a second click", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', "console-token");
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await expect.poll(async () => (await rows()).map(flat)).toEqual([expect.stringContaining("2 of the session")]);
    await page.click("#verify");
    await expect.poll(message).toBe("Verify found no problems.");
    await page.click("[data-fault=hang]");
    await page.click('text="Inject"');
    await expect.poll(message).toBe("Fault hang queued.");
    await page.click("#verify");
    await expect.poll(() => page.textContent("#verify-result")).toContain("the fault hang was never used");
    await page.click("#reset");
    expect(await page.textContent("#reset")).toBe("Reset now?");
    await page.click("#reset");
    await expect.poll(message).toBe("Session reset.");
    await expect.poll(() => page.isVisible("#no-plants")).toBe(true);
    expect(mock.plants.size).toBe(1);
  });

  it("shows the requests of all sessions, and the details of each", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', "console-token");
    await page.selectOption("#filter-session", "all");
    await expect
      .poll(async () => (await rows()).map(flat))
      .toEqual([expect.stringContaining("2 of the session"), expect.stringContaining("1 of the root")]);
    await page.locator('[role="option"]').first().click();
    await expect.poll(async () => flat(await page.textContent("#details .facts"))).toContain(`Session${session}`);
    await page.click('text="Replay"');
    await expect.poll(async () => (await rows()).length).toBe(3);
    await page.locator('[role="option"]').nth(2).click();
    await expect.poll(async () => flat(await page.textContent("#details .facts"))).toContain("Sessionroot");
    await fetch(`${mock.url}/_mock/sessions/${session}`, { method: "DELETE" });
    await expect.poll(async () => (await rows()).map(flat)).toEqual([expect.stringContaining("1 of the root")]);
    expect(await page.isVisible("#details")).toBe(true);
  });

  it("sends a plant with the token of the selected session", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await expect.poll(() => page.inputValue("#token")).toBe(mock.token);
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await expect.poll(() => page.inputValue("#token")).toBe("console-token");
    await page.click('text="Send"');
    await expect.poll(() => page.textContent("#answer")).toContain("200 ");
    await expect.poll(() => page.textContent("#plant-count")).toBe("1");
    expect(mock.plants.size).toBe(0);
  });

  it("returns to the root session if the selected one ends", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST" });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await expect.poll(() => page.locator('[role="option"]').count()).toBe(0);
    await fetch(`${mock.url}/_mock/sessions/${session}`, { method: "DELETE" });
    await expect.poll(message).toBe("The session has ended. The page shows the root session.");
    await expect.poll(async () => (await rows()).map(flat)).toEqual([expect.stringContaining("1 of the root")]);
    expect(await page.inputValue("#session")).toBe("root");
    expect(await page.locator("#session option").count()).toBe(1);
    await expect.poll(() => page.inputValue("#token")).toBe(mock.token);
  });

  it("stays fast with ten thousand requests: only visible rows exist, and the keyboard reaches all", async () => {
    await using large = await startMockPlantStore({ journalLimit: 10_000, maxBodyBytes: 10 });
    for (let i = 0; i < 10_000; i++) await large.handle(new Request(`${large.baseUrl}/${i}`));
    const opened = await open(large.url);
    await expect.poll(() => opened.textContent("#exchange-count")).toBe("10000");
    expect((await rows(opened)).length).toBeLessThan(60);
    await opened.focus("#exchanges");
    await opened.keyboard.press("End");
    await expect.poll(async () => flat((await rows(opened)).at(-1))).toMatch(/^404 GET \/0 /);
    expect(await opened.getAttribute('[aria-selected="true"]', "aria-posinset")).toBe("10000");
    await opened.keyboard.press("Home");
    await opened.keyboard.press("ArrowDown");
    await expect.poll(() => opened.textContent("#details h3")).toBe("GET /9998");
    await opened.fill("#filter-text", "/123");
    await expect.poll(() => opened.textContent("#exchange-count")).toBe("11 of 10000");
    await opened.close();
  });

  it("is used with the keyboard alone: every control has a name and is reached in order", async () => {
    const names: string[] = [];
    await page.reload();
    await expect.poll(() => page.locator("[data-fault]").count()).toBeGreaterThan(0);
    await page.keyboard.press("Tab");
    for (let i = 0; i < 60; i++) {
      const name = await page.evaluate(() => {
        const element = document.activeElement as HTMLInputElement | null;
        if (element === null || element === document.body) return undefined;
        const label = element.getAttribute("aria-labelledby") ?? element.getAttribute("aria-label");
        return label ?? element.labels?.[0]?.textContent ?? element.textContent ?? "";
      });
      if (name === undefined) break;
      names.push(name.trim());
      await page.keyboard.press("Tab");
    }
    expect(names).not.toContain("");
    const order = [
      "Skip to the requests",
      "Session",
      "Verify",
      "Reset",
      "Status",
      "Requests of",
      "Text",
      "exchanges-title",
      "Id",
      "Name",
    ];
    order.push("Send", "apiError", "stalledBody", "Hold requests", "The newest 50 plants", "Control API");
    expect(names.filter((name) => order.includes(name))).toEqual(order);
    expect(await page.getAttribute("#message", "role")).toBe("status");
  });

  it.each([
    ["light", 1280],
    ["dark", 1280],
    ["light", 768],
    ["dark", 768],
    ["light", 390],
    ["dark", 390],
    ["light", 320],
  ] as const)(
    "in %s at a width of %i nothing is cut off sideways, and axe finds nothing",
    async (colorScheme, width) => {
      mock.inject(faults.apiError(17, "the greenhouse is full"), { times: 3, when: { id: 42 } });
      await post(mock.baseUrl, `{"id":9223372036854775807,"name":"${"long".repeat(40)}"}`);
      await post(mock.baseUrl, "{");
      const gate = mock.hold();
      const held = post(mock.baseUrl, '{"id":5,"name":"held"}');
      await gate.arrived(1);
      const opened = await open(mock.url, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      await opened.locator('[role="option"]').nth(1).click();
      await opened.waitForSelector("#details h3");
      await opened.click("[data-fault=rateLimited]");
      expect(await opened.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      await opened.evaluate(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
      const violations = await opened.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        return (await axe.run()).violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
      });
      expect(violations).toEqual([]);
      await opened.close();
      gate.release();
      await held;
    },
  );

  it("asks for the control token if the mock requires it, and reconnects to a restarted mock", async () => {
    const guarded = await startMockPlantStore({ controlToken: "control-secret" });
    const opened = await open(guarded.url);
    await opened.waitForSelector("#unlock:not([hidden])");
    await opened.fill("#control-token", "wrong");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => message(opened)).toContain("must be `Bearer <control token>`");
    await opened.fill("#control-token", "control-secret");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => opened.textContent("#address")).toBe(guarded.url);
    expect(await opened.isVisible("#unlock")).toBe(false);
    await expect.poll(() => opened.locator("[data-fault]").count()).toBeGreaterThan(0);
    await guarded.close();
    await expect.poll(() => message(opened)).toBe("The mock does not respond. Trying again…");
    await using again = await startMockPlantStore({
      controlToken: "control-secret",
      port: Number(new URL(guarded.url).port),
    });
    await expect.poll(() => message(opened)).toBe("The mock responds again.");
    await expect.poll(() => opened.inputValue("#token")).toBe(again.token);
    await post(again.baseUrl, '{"id":1,"name":"after"}');
    await expect.poll(async () => flat((await rows(opened))[0])).toContain("1 after");
    await opened.close();
  });

  it("opens at the address of the mock in a browser, and the visit is not recorded", async () => {
    const { count } = mock.requests;
    const opened = await browser.newPage();
    await opened.goto(mock.url);
    expect(opened.url()).toBe(`${mock.url}/_mock/`);
    await opened.close();
    expect(mock.requests.count).toBe(count);
    expect((await fetch(mock.url)).status).toBe(404);
    expect(mock.requests.count).toBe(count + 1);
  });
});

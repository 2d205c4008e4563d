import { faults } from "plant-store-client/mock";
import { describe, expect } from "vitest";
import { browserTest as it } from "../../browser-test.ts";
import { flat, mock, page, row, rows, useConsole } from "./console-page.ts";
import { post } from "./post.ts";

useConsole();

describe("the list of requests in the console", () => {
  it("names an incomplete response", async () => {
    for (const [fault, text] of [
      [faults.lostResponse(), "lost"],
      [faults.truncatedBody(), "incomplete"],
      [faults.networkError(), "no response"],
    ] as const) {
      mock.inject(fault);
      await post(mock.baseUrl, '{"id":6,"name":"x"}')
        .then((reply) => reply.text())
        .catch(() => {});
      await expect.poll(async () => (await rows())[0]).toMatch(new RegExp(`^${text} x \\(6\\)`));
    }
  });

  it("shows names and bodies as text, never as HTML", async () => {
    const name = "<img src=x onerror=\"document.title='broken'\">";
    await post(mock.baseUrl, JSON.stringify({ id: 1, name, tag: "<b>" }));
    await expect.poll(async () => (await rows())[0]).toContain(name);
    await row(0).click();
    await expect.poll(() => page.locator("#requests pre").first().innerText()).toContain("<img src=x onerror=");
    expect(await page.title()).toBe("Plant Store Mock");
    expect(await page.locator("main img, main b").count()).toBe(0);
    await post(mock.baseUrl, JSON.stringify({ id: 2, name: "a\u202egnp.exe\u0007" }), "A".repeat(4000));
    await expect.poll(async () => (await rows())[0]).toContain("a\\u202egnp.exe\\u0007 (2)");
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });

  it("shows an exact id, and why a request was refused: in its row, and with the options when it is open", async () => {
    await post(mock.baseUrl, '{"id":9223372036854775807,"name":"Welwitschia mirabilis"}', mock.token);
    await post(mock.baseUrl, '{"id":"seven","name":"Welwitschia mirabilis"}', mock.token);
    await expect
      .poll(rows)
      .toEqual([
        expect.stringMatching(/^400 POST \/v1\/plants [\d:]+ newPlant · token#\S+ \/id: must be an integer /),
        expect.stringMatching(
          /^200 Welwitschia mirabilis \(9223372036854775807\) [\d:]+ POST \/v1\/plants · token#\S+$/,
        ),
      ]);
    await row(0).press("Enter");
    await expect
      .poll(async () => flat(await page.innerText("#requests .why")))
      .toMatch(
        /^\/id: must be an integer .+ The contract does not specify this: .+ The mock's default: .+ Options that change it: replies\.newPlant/,
      );
    expect(flat(await page.locator("#requests pre").first().innerText())).toMatch(
      /\{"id":"seven","name":"Welwitschia mirabilis"\}$/,
    );
    await row(0).press("Enter");
    expect(await page.isVisible("#requests .why")).toBe(false);
  });

  it("says so as long as no request has arrived", async () => {
    await expect.poll(() => page.isVisible("#welcome")).toBe(true);
    await post(mock.baseUrl, '{"id":1,"name":"a"}');
    await expect.poll(() => page.isVisible("#welcome")).toBe(false);
    mock.reset();
    await expect.poll(() => page.isVisible("#welcome")).toBe(true);
  });

  it("keeps a request open while others arrive, and shows its response when it has one", async () => {
    const gate = mock.hold();
    const held = post(mock.baseUrl, '{"id":1,"name":"first"}');
    await row(0).click();
    await expect.poll(() => page.innerText("#requests details[open]")).toContain("No response");
    gate.release();
    await held;
    await expect.poll(() => page.innerText("#requests details[open]")).toContain('"name": "first"');
    await post(mock.baseUrl, '{"id":2,"name":"second"}');
    await expect.poll(() => page.textContent("#request-count")).toBe("2");
    expect(await page.locator("#requests details[open]").count()).toBe(1);
    expect(await page.locator("#requests details").nth(1).getAttribute("open")).toBe("");
  });
});

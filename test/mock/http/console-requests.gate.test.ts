import { faults } from "plant-store-client/mock";
import { describe, expect } from "vitest";
import { curlOf } from "../../../mock/http/console/page/text.ts";
import { browserTest as it } from "../../browser-test.ts";
import { flat, mock, notice, page, row, rows, useConsole } from "./console-page.ts";
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

  it("copies a request as curl", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await post(mock.baseUrl, '{"id":9223372036854775807,"name":"it\'s"}', mock.token);
    await row(0).click();
    await page.getByText("Copy as curl").click();
    await expect.poll(notice).toContain("Copied.");
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain(`curl --globoff -X POST '${mock.baseUrl}/plants'`);
    expect(copied).toContain('-H "Authorization: Bearer $TOKEN"');
    expect(copied).toContain(`--data-raw '{"id":9223372036854775807,"name":"it'\\''s"}'`);
    expect(copied).not.toMatch(/content-length|token#/);
  });

  it("copies nothing that a terminal obeys or shows in another order", () => {
    const unsafe = "\x03\ntouch x\n\x1b[201~\u202e\u2028";
    const request = {
      ...{ number: 1, at: 0, method: "POST", path: "/plants?\x9b[1-3]", why: "" },
      headers: { "x-note": "a\x85b\u2066" },
      bodyText: `{"id":1,"name":"it's ${unsafe}"}`,
    };
    const copied = curlOf(request, "http://127.0.0.1:1");
    expect(copied).toBe(
      "curl --globoff -X POST 'http://127.0.0.1:1/plants?%C2%9B[1-3]' \\\n  -H 'x-note: a\\u0085b\\u2066' \\\n" +
        `  --data-raw '{"id":1,"name":"it'\\''s \\u0003\ntouch x\n\\u001b[201~\\u202e\\u2028"}'`,
    );
  });

  it.each([
    ["is cut", JSON.stringify({ id: 1, name: "x".repeat(16_384) })],
    ["is not UTF-8", new Uint8Array([0x7b, 0xff, 0x7d])],
  ])("copies no command if the body %s, because it would send another one", async (_, body) => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(() => navigator.clipboard.writeText("before"));
    await fetch(`${mock.baseUrl}/plants`, { method: "POST", body });
    await row(0).click();
    await page.getByText("Copy as curl").click();
    await expect.poll(notice).toContain("The request cannot be copied");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("before");
  });

  it("filters by text: the outcome and the reason too", async () => {
    await post(mock.baseUrl, '{"id":31,"name":"needle"}');
    await post(mock.baseUrl, "{");
    await expect.poll(() => page.textContent("#request-count")).toBe("2");
    for (const [text, status] of [
      ["NEEDLE", "200"],
      ["400", "400"],
      ["must be json", "400"],
    ] as const) {
      await page.fill("#filter", text);
      await expect.poll(async () => (await rows()).map((shown) => shown.slice(0, 3))).toEqual([status]);
      expect(await page.textContent("#request-count")).toBe("1 of 2");
    }
    await page.fill("#filter", "nothing like it");
    await expect.poll(() => page.isVisible("#no-match")).toBe(true);
  });

  it("offers a curl line as long as no request has arrived", async () => {
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await expect.poll(() => page.textContent("#curl")).toContain(mock.token);
    expect(await page.textContent("#curl")).toBe(
      `curl --globoff -X POST '${mock.baseUrl}/plants' \\\n  -H 'accept: application/json' \\\n  -H 'content-type: application/json' \\\n` +
        `  -H 'Authorization: Bearer ${mock.token}' \\\n  --data-raw '{"id":1,"name":"Monstera deliciosa"}'`,
    );
    await page.click("#copy");
    await expect.poll(notice).toBe("Copied.");
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(await page.textContent("#curl"));
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

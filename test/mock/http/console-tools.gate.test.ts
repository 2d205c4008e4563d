import { faults } from "plant-store-client/mock";
import type { Route } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest as it } from "../../browser-test.ts";
import { chooseFault, flat, message, mock, page, rows, useConsole } from "./console-page.ts";
import { post } from "./post.ts";

useConsole();

describe("the tools of the console", () => {
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
      .toMatch(/^200 Welwitschia mirabilis \(9223372036854775807\) [\d:]+ POST \/v1\/plants · /);
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
      '{"id":"seven","name":"Welwitschia mirabilis"}',
    );
  });

  it("shows held requests and releases them; shows queued faults and removes them", async () => {
    mock.inject(faults.delay(5), { times: 2, when: { tag: "slow" } });
    await expect
      .poll(async () => flat(await page.innerText("#queued-faults")))
      .toBe("The response is late #1 Delay, in milliseconds: 5 · 2 of 2 left · when tag is slow Remove");
    await page.click('text="Remove"');
    await expect.poll(() => page.textContent("#fault-count")).toBe("0");
    await page.click("#hold");
    await expect.poll(() => page.locator("#gates > li").count()).toBe(1);
    const held = post(mock.baseUrl, '{"id":5,"name":"held"}', mock.token);
    await expect.poll(async () => flat((await rows())[0])).toMatch(/^waiting held \(5\)/);
    await expect.poll(async () => flat(await page.innerText("#gates"))).toBe("Gate holds 1 Release");
    await page.click('text="Release"');
    expect((await held).status).toBe(200);
    await expect.poll(async () => flat((await rows())[0])).toMatch(/^200 held \(5\)/);
    await expect.poll(() => page.textContent("#held-count")).toBe("0");
  });

  it("removes a fault, releases a gate and selects a request by a click during which requests arrive", async () => {
    let id = 0;
    const arrive = async () => {
      const { count } = mock.requests;
      void post(mock.baseUrl, `{"id":${++id},"name":"arrives"}`, mock.token);
      await expect.poll(() => page.textContent("#request-count")).toBe(`${count + 1}`);
    };
    const pressSlowly = async (selector: string) => {
      await page.hover(selector);
      await page.mouse.down();
      await arrive();
      await page.mouse.up();
    };
    mock.inject(faults.hang(), { when: { tag: "never" } });
    await arrive();
    await pressSlowly("#queued-faults button");
    await expect.poll(() => page.textContent("#fault-count")).toBe("0");
    await page.click("#hold");
    await pressSlowly("#gates button");
    await expect.poll(() => page.locator("#gates > li").count()).toBe(0);
    await pressSlowly('[role="option"] .badge');
    await expect.poll(async () => flat(await page.textContent("#details h3"))).toBe(`arrives (${id - 1})`);
  });

  it("verifies the selected session, and resets it after a question", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', "console-token");
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await expect.poll(async () => (await rows()).map(flat)).toEqual([expect.stringContaining("of the session (2)")]);
    await page.click("#verify");
    await expect.poll(message).toBe("Verify found no problems.");
    await chooseFault("hang");
    await page.click('text="Inject"');
    await expect.poll(message).toBe("Fault hang queued.");
    await page.click("#verify");
    await expect.poll(() => page.textContent("#verify-result")).toContain("the fault hang #1 was never used");
    await page.click('text="Dismiss"');
    expect([await page.isVisible("#verify-result"), await message()]).toEqual([false, ""]);
    page.once("dialog", (dialog) => dialog.dismiss());
    await page.click("#reset");
    expect(await page.isVisible("#no-plants")).toBe(false);
    page.once("dialog", (dialog) => dialog.accept());
    await page.click("#reset");
    await expect.poll(message).toBe("Session reset.");
    await expect.poll(() => page.isVisible("#no-plants")).toBe(true);
    expect(mock.plants.size).toBe(1);
  });

  it("shows neither problems nor a response of another session that arrive later", async () => {
    const { session } = await (await fetch(`${mock.url}/_mock/sessions`, { method: "POST" })).json();
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    mock.inject(faults.delay(1), { when: { id: 2 } });
    await expect.poll(() => page.textContent("#fault-count")).toBe("1");
    const late: Route[] = [];
    await page.route(/\/(v1\/plants|verify\?.*)$/, (route) => void late.push(route));
    await page.click('text="Send"');
    await page.click("#verify");
    await expect.poll(() => late.length).toBe(2);
    await page.selectOption("#session", session);
    for (const route of late) {
      const finished = page.waitForEvent("requestfinished", (request) => request === route.request());
      await route.continue();
      await finished;
    }
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.isVisible("#verify-result")).toBe(false);
    expect([await page.textContent("#answer"), await message()]).toEqual(["", ""]);
  });

  it("shows the state of the selected session, even if that of another one arrives later", async () => {
    const { session, token } = await (await fetch(`${mock.url}/_mock/sessions`, { method: "POST" })).json();
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', token);
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    const late: Route[] = [];
    await page.route(/\/_mock\/state\?session=root/, (route) => void late.push(route));
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await expect.poll(() => late.length).toBe(1);
    await page.selectOption("#session", session);
    const shown = async () => flat(await page.innerText("#plant-rows"));
    await expect.poll(shown).toBe("2 of the session");
    const finished = page.waitForEvent("requestfinished", (request) => request === late[0]?.request());
    await late[0]?.continue();
    await finished;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await shown()).toBe("2 of the session");
  });

  it("shows a mistake of its own as such, and not as a mock that does not respond", async () => {
    await page.route(/\/_mock\/state/, (route) => route.fulfill({ body: "{" }));
    await expect.poll(message).toMatch(/JSON/);
  });

  it("asks for the state once a second, and gets it only if something has changed", async () => {
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.url().includes("/_mock/state")) statuses.push(response.status());
    });
    await post(mock.baseUrl, '{"id":1,"name":"once"}');
    await expect.poll(() => statuses).toEqual(expect.arrayContaining([200, 304]));
    await expect.poll(() => statuses.slice(-2)).toEqual([304, 304]);
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(2);
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
    await expect.poll(async () => (await rows()).map(flat)).toEqual([expect.stringContaining("of the root (1)")]);
    expect(await page.inputValue("#session")).toBe("root");
    expect(await page.locator("#session option").count()).toBe(1);
    await expect.poll(() => page.inputValue("#token")).toBe(mock.token);
  });
});

import { faults } from "plant-store-client/mock";
import type { Route } from "playwright-core";
import { describe, expect } from "vitest";
import { browserTest as it } from "../../browser-test.ts";
import { chooseFault, flat, message, mock, notice, page, row, rows, useConsole } from "./console-page.ts";
import { post } from "./post.ts";

useConsole();

const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("the faults of the console", () => {
  it("have names in words, and a template in JSON, which injects them as it is", async () => {
    await expect.poll(() => page.textContent("#address")).toBe(mock.baseUrl);
    const options = page.locator("#fault option:not([value=''])");
    for (const type of await options.evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value))) {
      await chooseFault(type);
      expect(await page.textContent("#fault-about")).toMatch(new RegExp(`^${type}: \\w`));
      await button("Queue").click();
      await expect.poll(notice).toMatch(/^Queued as fault #\d+\.$/);
    }
    await expect.poll(() => page.textContent("#fault-count")).toBe(`${await options.count()}`);
    expect(await options.count()).toBeGreaterThan(8);
    await chooseFault("");
    expect(await page.isVisible("#fault-form")).toBe(false);
  });

  it("can be edited, with an id beyond 2^53 to choose the requests", async () => {
    await chooseFault("reply");
    const fault =
      '{"fault": {"type": "reply", "status": 503}, "times": "unlimited", "when": {"id": 9223372036854775807}}';
    await page.fill("#fault-body", fault);
    await button("Queue").press("Enter");
    await expect
      .poll(async () => flat(await page.innerText("#faults")))
      .toBe('Any response #1 status: 503 · every request · when {"id":"9223372036854775807"} Remove');
    expect((await post(mock.baseUrl, '{"id":9223372036854775806,"name":"a"}')).status).toBe(200);
    expect((await post(mock.baseUrl, '{"id":9223372036854775807,"name":"a"}')).status).toBe(503);
  });

  it("that are refused leave the error beside the button until the next action", async () => {
    await chooseFault("reply");
    await page.fill("#fault-body", '{"fault": {"type": "reply", "status": 99}}');
    await button("Queue").click();
    await expect.poll(() => page.textContent("#queue + [role=alert]")).toContain("fault.status: must be an integer");
    await post(mock.baseUrl, '{"id":1,"name":"a"}');
    await expect.poll(rows).toHaveLength(1);
    expect(await notice()).toContain("fault.status");
    await page.fill("#fault-body", "{");
    await button("Queue").click();
    await expect.poll(notice).toBe("body: must be JSON; its syntax is invalid");
    await button("Verify").click();
    await expect.poll(notice).toBe("No problems.");
    expect(await page.locator(".notice").count()).toBe(1);
  });
});

describe("the tools of the console", () => {
  it("hold requests, say which are held, and release them", async () => {
    await button("Hold requests").click();
    await expect.poll(async () => flat(await page.innerText("#gates"))).toBe("Waits for requests Release");
    const held = post(mock.baseUrl, '{"id":5,"name":"held"}', mock.token);
    await expect.poll(async () => (await rows())[0]).toMatch(/^held held \(5\)/);
    await expect.poll(async () => flat(await page.innerText("#gates"))).toBe("Holds 1 request Release");
    await button("Release 1 request").click();
    expect((await held).status).toBe(200);
    await expect.poll(async () => (await rows())[0]).toMatch(/^200 held \(5\)/);
    await expect.poll(() => page.textContent("#held-count")).toBe("0");
  });

  it("remove a fault, release a gate and open a request by a click during which requests arrive", async () => {
    let id = 0;
    const arrive = async () => {
      const { count } = mock.requests;
      void post(mock.baseUrl, `{"id":${++id},"name":"arrives"}`, mock.token);
      await expect.poll(() => page.textContent("#request-count")).toBe(`${count + 1}`);
    };
    const pressSlowly = async (selector: string) => {
      await page.locator(selector).first().hover();
      await page.mouse.down();
      await arrive();
      await page.mouse.up();
    };
    mock.inject(faults.hang(), { when: { tag: "never" } });
    await arrive();
    await pressSlowly("#faults button");
    await expect.poll(() => page.textContent("#fault-count")).toBe("0");
    await button("Hold requests").click();
    await pressSlowly("#gates button");
    await expect.poll(() => page.locator("#gates > li").count()).toBe(0);
    await row(0).press("Enter");
    await arrive();
    await expect.poll(() => page.locator("#requests details[open] .why").count()).toBe(1);
    expect(flat(await page.textContent("#requests details[open] strong"))).toBe(`arrives (${id - 1})`);
  });

  it("verify the selected session, and reset it after a question", async () => {
    const opened = await fetch(`${mock.url}/_mock/sessions`, { method: "POST", body: '{"tokens":["console-token"]}' });
    const { session } = await opened.json();
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', "console-token");
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await expect.poll(rows).toEqual([expect.stringContaining("of the session (2)")]);
    await button("Verify").click();
    await expect.poll(notice).toBe("No problems.");
    await chooseFault("hang");
    await button("Queue").click();
    await expect.poll(notice).toBe("Queued as fault #1.");
    await button("Verify").click();
    await expect.poll(notice).toContain("the fault hang #1 was never used");
    page.once("dialog", (dialog) => dialog.dismiss());
    await button("Reset").click();
    expect(await rows()).toHaveLength(1);
    page.once("dialog", (dialog) => dialog.accept());
    await button("Reset").click();
    await expect.poll(notice).toBe("Session reset.");
    await expect.poll(rows).toEqual([]);
    expect(mock.plants.size).toBe(1);
  });
});

describe("the state in the console", () => {
  it("is that of the selected session, even if that of another one arrives later", async () => {
    const { session, token } = await (await fetch(`${mock.url}/_mock/sessions`, { method: "POST" })).json();
    await post(mock.baseUrl, '{"id":2,"name":"of the session"}', token);
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    const late: Route[] = [];
    await page.route(/\/_mock\/state\?session=root/, (route) => void late.push(route));
    await post(mock.baseUrl, '{"id":1,"name":"of the root"}');
    await expect.poll(() => late.length).toBe(1);
    await page.selectOption("#session", session);
    await expect.poll(rows).toEqual([expect.stringContaining("of the session (2)")]);
    const finished = page.waitForEvent("requestfinished", (request) => request === late[0]?.request());
    await late[0]?.continue();
    await finished;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await rows()).toEqual([expect.stringContaining("of the session (2)")]);
  });

  it("that the page itself cannot read is not taken for a mock that does not respond", async () => {
    await page.route(/\/_mock\/state/, (route) => route.fulfill({ body: "{" }));
    await expect.poll(message).toMatch(/JSON/);
  });

  it("is that of the root session if the selected one ends", async () => {
    const { session } = await (await fetch(`${mock.url}/_mock/sessions`, { method: "POST" })).json();
    await expect.poll(() => page.locator("#session option").count()).toBe(2);
    await page.selectOption("#session", session);
    await fetch(`${mock.url}/_mock/sessions/${session}`, { method: "DELETE" });
    await expect.poll(message).toBe("The session has ended. The page shows the root session.");
    await expect.poll(() => page.locator("#session option").count()).toBe(1);
    expect(await page.inputValue("#session")).toBe("root");
  });
});

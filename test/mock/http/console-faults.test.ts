import { describe, expect } from "vitest";
import { browserTest as it } from "../../browser-test.ts";
import { chooseFault, flat, message, mock, page, useConsole } from "./console-page.ts";
import { post } from "./post.ts";

useConsole();

describe("the form of the console that injects faults", () => {
  it("names each fault in words, and opens in view", async () => {
    await page.setViewportSize({ width: 390, height: 700 });
    await page.waitForSelector("#fault option:nth-child(2)", { state: "attached" });
    const names = await page.locator("#fault option").allInnerTexts();
    expect(names).toEqual([
      "Choose what happens…",
      ...["An error response", "Any response", "Too many requests", "The response is late", "No response"],
      ...["The connection is reset", "The response is lost", "The body is cut off", "The body stalls"],
    ]);
    await page.locator("#fault").scrollIntoViewIfNeeded();
    await chooseFault("rateLimited");
    const submit = await page.locator("#inject button").boundingBox();
    expect(Math.floor((submit?.y ?? 0) + (submit?.height ?? 0))).toBeLessThanOrEqual(700);
    expect(await page.textContent("#fault-description")).toBe("rateLimited: status 429 with Retry-After");
  });

  it("injects a fault with its fields, for the plants given in the form", async () => {
    await chooseFault("reply");
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
    await chooseFault("hang");
    expect(await page.locator("#fault-fields input").count()).toBe(0);
    await page.fill("#times", "");
    await page.click('text="Inject"');
    await expect
      .poll(async () => flat(await page.innerText("#queued-faults")))
      .toMatch(/^No response #\d+ every request Remove$/);
    await chooseFault("");
    expect(await page.isVisible("#fault-form")).toBe(false);
  });

  it.each([204, 205, 304])("injects a response with status %i, which has no body", async (status) => {
    await chooseFault("reply");
    await page.fill("#fault-status", `${status}`);
    await page.fill("#fault-body", "");
    await page.press("#fault-body", "Enter");
    await expect.poll(message).toBe("Fault reply queued.");
    expect((await post(mock.baseUrl, '{"id":1,"name":"a"}')).status).toBe(status);
  });

  it("injects an empty text if the fault requires the field", async () => {
    await chooseFault("apiError");
    await page.fill("#fault-message", "");
    await page.press("#fault-message", "Enter");
    await expect.poll(message).toBe("Fault apiError queued.");
    expect(await (await post(mock.baseUrl, '{"id":1,"name":"a"}')).json()).toEqual({ error: 1, message: "" });
  });

  it.each([
    ["apiError", "code"],
    ["reply", "status"],
    ["rateLimited", "retryAfterSeconds"],
    ["delay", "ms"],
  ])("does not inject the fault %s without its %s", async (type, field) => {
    await chooseFault(type);
    await page.fill(`#fault-${field}`, "");
    await page.click('text="Inject"');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`fault-${field}`);
    const isMissing = (input: HTMLInputElement) => input.validity.valueMissing;
    expect(await page.locator(`#fault-${field}`).evaluate(isMissing)).toBe(true);
    await page.fill(`#fault-${field}`, "400");
    await page.click('text="Inject"');
    await expect.poll(message).toBe(`Fault ${type} queued.`);
    await expect.poll(() => page.textContent("#fault-count")).toBe("1");
  });

  it("does not inject a fault for an id that is not written as an int64, and says which ids are valid", async () => {
    await chooseFault("hang");
    const input = page.locator("#when-id");
    for (const id of ["007", "-0", "+7", "7.0", "1e3", "seven", " 7", "12345678901234567890"]) {
      await page.focus("#times");
      await input.fill(id);
      await page.click('text="Inject"');
      expect(await page.evaluate(() => document.activeElement?.id), id).toBe("when-id");
      expect(await input.evaluate((field: HTMLInputElement) => field.validity.patternMismatch), id).toBe(true);
    }
    // Chromium shows it below its own message.
    expect(await input.getAttribute("title")).toBe("Id: an integer of up to 64 bits, without leading zeros");
    expect(await page.textContent("#fault-count")).toBe("0");
  });

  it.each(["0", "-9223372036854775808", "9223372036854775807"])("injects a fault for the id %s", async (id) => {
    await chooseFault("hang");
    await page.fill("#when-id", id);
    await page.fill("#times", "007");
    await page.click('text="Inject"');
    await expect.poll(message).toBe("Fault hang queued.");
    const queued = async () => flat(await page.innerText("#queued-faults"));
    await expect.poll(queued).toBe(`No response #1 7 of 7 left · when id is ${id} Remove`);
  });

  it("names the field if an id is out of range", async () => {
    await chooseFault("hang");
    await page.fill("#when-id", "9223372036854775808");
    await page.click('text="Inject"');
    await expect
      .poll(message)
      .toContain("when.id: must be an integer from -9223372036854775808 to 9223372036854775807");
  });
});

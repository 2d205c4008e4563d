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
});

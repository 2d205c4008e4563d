import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { faults } from "plant-store-client/mock";
import { startMockPlantStore } from "plant-store-client/mock/http";
import { describe, expect } from "vitest";
import { browserTest as it } from "../../browser-test.ts";
import { chooseFault, message, mock, openConsole, row, rows, useConsole } from "./console-page.ts";
import { post } from "./post.ts";
import { openRelay } from "./relay.ts";

useConsole();

describe("the console", () => {
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
      const opened = await openConsole(mock.url, { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
      await row(1, opened).click();
      await opened.waitForSelector("#requests .why");
      await chooseFault("rateLimited", opened);
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
    await using relay = await openRelay(guarded);
    const opened = await openConsole(relay.url);
    await opened.waitForSelector("#unlock:not([hidden])");
    await opened.fill("#control-token", "wrong");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => message(opened)).toContain("must be `Bearer <control token>`");
    await opened.fill("#control-token", "control-secret");
    await opened.press("#control-token", "Enter");
    await expect.poll(() => opened.textContent("#address")).toBe(relay.url);
    expect(await opened.isVisible("#unlock")).toBe(false);
    await guarded.close();
    await expect.poll(() => message(opened)).toBe("The mock does not respond. Trying again…");
    await using again = await startMockPlantStore({ controlToken: "control-secret" });
    relay.leadTo(again);
    await expect.poll(() => message(opened)).toBe("The mock responds again.");
    await post(again.baseUrl, '{"id":1,"name":"after"}');
    await expect.poll(async () => (await rows(opened))[0]).toContain("after (1)");
    await opened.close();
  });
});

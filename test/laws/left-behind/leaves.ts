import { expect, test, vi } from "vitest";

test("leaves what it replaced", () => {
  process.env.LEFT_BEHIND = "yes";
  process.on("warning", () => {});
  globalThis.fetch = async () => new Response();
  vi.stubGlobal("Headers", undefined);
  vi.useFakeTimers();
  expect(process.env).toHaveProperty("LEFT_BEHIND");
});

import { expect, test, vi } from "vitest";

// The clock takes the runtime's own timers when it is loaded.
test("virtual time that stands still throws in a timer, and says what it waits for", async () => {
  const ticks: (() => void)[] = [];
  vi.stubGlobal("setInterval", (tick: () => void) => ticks.push(tick));
  vi.resetModules();
  const { JumpingClock } = await import("../../mock/service/virtual-clock.ts");
  vi.unstubAllGlobals();
  const clock = new JumpingClock(1, false);
  clock.after(1_000, () => expect.fail("the time has passed"));
  clock.hold("a token provider");
  expect(ticks).toHaveLength(1);
  clock.after(2_000, () => expect.fail("the time has passed"));
  expect(ticks[0]).not.toThrow();
  expect(ticks[0]).toThrow(
    "virtual time has stood still for 2 s, because it waits for a token provider; let that settle, pass over it with " +
      "clock.advance(ms), or use real time",
  );
});

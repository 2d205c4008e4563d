import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JumpingClock } from "../../mock/time/virtual-clock.ts";

let Clock: typeof JumpingClock;
let ticks: (() => void)[];
const clear = vi.fn();

// The clock takes the runtime's own timers when it is loaded.
beforeEach(async () => {
  ticks = [];
  clear.mockClear();
  vi.stubGlobal("setInterval", (tick: () => void) => ticks.push(tick));
  vi.stubGlobal("clearInterval", clear);
  vi.resetModules();
  ({ JumpingClock: Clock } = await import("../../mock/time/virtual-clock.ts"));
});
afterEach(() => vi.unstubAllGlobals());

test("virtual time that stands still throws in a timer, and says what it waits for", () => {
  const clock = new Clock(1, false);
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

test("a simulation is watched from its beginning, even without a timer, to its end, and never throws", () => {
  const clock = new Clock(1, true);
  const onStandstill = vi.fn();
  clock.watch(onStandstill);
  expect(ticks).toHaveLength(1);
  clock.stop();
  expect(clear).toHaveBeenCalledOnce();
  // Code that goes on after its run may wait for ever: nobody is told.
  clock.after(1_000, () => {});
  clock.hold("a token provider");
  for (const tick of ticks) expect(tick).not.toThrow();
});

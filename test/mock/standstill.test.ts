import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { JumpingClock } from "../../mock/time/virtual-clock.ts";

let Clock: typeof JumpingClock;
let ticks: (() => void)[];
/** Real time is counted in ticks of 20 ms. */
const waitSeconds = (seconds: number) => {
  for (let count = 0; count < seconds * 50; count++) for (const tick of ticks) tick();
};

// The clock takes the runtime's own timers, even if a test has replaced the global ones before it is loaded.
beforeEach(async () => {
  ticks = [];
  vi.useFakeTimers();
  const { getBuiltinModule } = process;
  vi.spyOn(process, "getBuiltinModule").mockImplementation((name: string) =>
    name === "node:timers"
      ? { setInterval: (tick: () => void) => ticks.push(tick), clearInterval: () => ticks.splice(0) }
      : getBuiltinModule(name),
  );
  vi.resetModules();
  ({ JumpingClock: Clock } = await import("../../mock/time/virtual-clock.ts"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const REASON =
  "virtual time has stood still for 4 s, because it waits for a token provider; let that settle, wait by clock.sleep(ms), " +
  "pass over it with clock.advance(ms), or use real time";

test("virtual time that stands still fails what it waits for, after four seconds", () => {
  const clock = new Clock();
  const reject = vi.fn();
  clock.after(1_000, () => expect.fail("the time has passed"));
  clock.hold("a token provider", reject);
  waitSeconds(3);
  clock.after(2_000, () => expect.fail("the time has passed"));
  waitSeconds(4);
  expect(reject).not.toHaveBeenCalled();
  waitSeconds(1);
  expect(reject.mock.calls).toEqual([[expect.objectContaining({ message: REASON })]]);
});

test("what releases its hold when it fails has failed", () => {
  const clock = new Clock();
  clock.after(1_000, () => {});
  const release = clock.hold("the input of createPlants", () => release());
  expect(() => waitSeconds(5)).not.toThrow();
});

test("a sleep fails while something holds the time", async () => {
  const clock = new Clock();
  clock.hold("a token provider");
  const sleeping = clock.sleep(1_000);
  waitSeconds(5);
  await expect(sleeping).rejects.toThrow(REASON);
});

test("what cannot fail is reported as an error in a timer", () => {
  const clock = new Clock();
  clock.after(1_000, () => expect.fail("the time has passed"));
  clock.hold("a token provider");
  expect(() => waitSeconds(3)).not.toThrow();
  expect(() => waitSeconds(2)).toThrow(REASON);
});

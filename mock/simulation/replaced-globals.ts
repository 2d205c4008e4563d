import type { JumpingClock } from "../time/virtual-clock.ts";

/**
 * Makes `setTimeout`, `Date` and `Math.random` those of a clock, so that waits of the code under test take virtual time.
 *
 * @returns The function that restores them.
 */
export function replaceGlobals(clock: JumpingClock): () => void {
  const { setTimeout, clearTimeout, Date: RealDate } = globalThis;
  const { random } = Math;
  class VirtualDate extends RealDate {
    constructor(...values: unknown[]) {
      super(...((values.length === 0 ? [clock.date()] : values) as [number]));
    }
    static override now(): number {
      return clock.date();
    }
  }
  Object.assign(globalThis, {
    setTimeout: (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
      const timer = clock.afterOwn(ms, () => callback(...values)) as object;
      // Node's timers have these methods.
      return Object.assign(timer, { ref: () => timer, unref: () => timer, hasRef: () => true });
    },
    clearTimeout: (timer: unknown) => clock.cancel(timer),
    Date: VirtualDate,
  });
  Math.random = clock.random;
  return () => {
    Object.assign(globalThis, { setTimeout, clearTimeout, Date: RealDate });
    Math.random = random;
  };
}

import type { Clock } from "plant-store-client";

/**
 * The real clock, but a deadline never passes before the service has the request: on a slow machine, the request would
 * otherwise be late, and met by the next test. It also runs in pages, with the built package.
 *
 * @param deadlineMs - The deadline. Timers of another length do not wait.
 * @param hasArrived - Asked when the deadline is over, and then every 10 ms.
 */
export function lateDeadline(deadlineMs: number | undefined, hasArrived: () => boolean | Promise<boolean>): Clock {
  const after = (ms: number, callback: () => void) => {
    let isCanceled = false;
    const strike = async () => {
      const isDue = ms !== deadlineMs || (await hasArrived());
      if (isCanceled) return;
      if (isDue) callback();
      else timer = setTimeout(strike, 10);
    };
    let timer = setTimeout(strike, ms);
    return () => {
      isCanceled = true;
      clearTimeout(timer);
    };
  };
  return {
    date: () => Date.now(),
    now: () => performance.now(),
    random: () => Math.random(),
    after,
    cancel: (timer) => (timer as () => void)(),
  };
}

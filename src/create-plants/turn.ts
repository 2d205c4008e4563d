import type { Clock } from "../call/clock.ts";

/**
 * Calls back when timers and sockets have had a turn, which work that is all microtasks would starve.
 *
 * By a message, because a test may have replaced the timers and not advance them. React Native and jsdom have no messages.
 */
export function turn(clock: Clock, callback: () => void): void {
  if (typeof MessageChannel === "undefined") return void clock.after(0, callback);
  const { port1, port2 } = new MessageChannel();
  const release = clock.hold?.("a turn of createPlants");
  port1.onmessage = () => {
    port1.close();
    release?.();
    callback();
  };
  port2.postMessage(undefined);
}

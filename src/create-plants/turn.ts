import type { Clock } from "../call/clock.ts";

/**
 * Lets timers and sockets have a turn, which work that is all microtasks would starve.
 *
 * By a message, because a test may have replaced the timers and not advance them. React Native and jsdom have no messages.
 */
export async function turn(clock: Clock): Promise<void> {
  if (typeof MessageChannel === "undefined") return new Promise((resolve) => void clock.after(0, resolve));
  const { port1, port2 } = new MessageChannel();
  const release = clock.hold?.("a turn of createPlants");
  await new Promise((resolve) => {
    port1.onmessage = resolve;
    port2.postMessage(undefined);
  });
  port1.close();
  release?.();
}

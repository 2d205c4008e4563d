import type { DispatchWatch } from "./dispatch-watch.ts";

/**
 * Waits, after a request failed that undici had begun, until sockets have had a turn. Over HTTP/2, undici writes further
 * requests to a connection that has failed until it reads the end of that connection: a program that sends the next plant
 * at once, without a turn in between, would lose all of them in the same way, each with the outcome `unknown`.
 *
 * A message, because a test may have replaced the timers.
 */
export function socketTurn(watch: DispatchWatch | undefined): Promise<void> | undefined {
  // Tests of React applications delete it.
  if (!watch?.hasBegun || typeof MessageChannel !== "function") return undefined;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

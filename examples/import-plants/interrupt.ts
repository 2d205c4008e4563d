import { constants } from "node:os";

/** Why the import stops before the end of the list, and the exit status that says so. */
export interface Stop {
  readonly reason: string;
  readonly status: number;
}

/** One Ctrl-C can arrive several times within moments: from the terminal, and passed on by npm and tsx. */
const SAME_KEY_PRESS_MS = 300;

/**
 * Calls `stop` at the first Ctrl-C (SIGINT; SIGTERM from a process manager, or SIGHUP when the terminal is closed), and
 * `quit` at a second one.
 *
 * @returns a function that goes back to how Node handles these signals.
 */
export function onInterrupt(stop: (stop: Stop) => void, quit: (stop: Stop) => void): () => void {
  let stoppedAt: number | undefined;
  const handle = (reason: (typeof SIGNALS)[number]): void => {
    const call = { reason, status: statusOf(reason) };
    if (stoppedAt === undefined) {
      stoppedAt = performance.now();
      stop(call);
    } else if (performance.now() - stoppedAt > SAME_KEY_PRESS_MS) quit(call);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The exit status of a process that a signal ended, as shells count it: 130 for SIGINT. */
function statusOf(signal: (typeof SIGNALS)[number]): number {
  return 128 + constants.signals[signal];
}

/** A timer set by `after`; each clock has its own type. */
export type Timer = unknown;

/**
 * All that a mock knows of time and chance: its dates, waits, rate limits and random names come from here. Only the
 * sockets of the HTTP server have timers of their own, because a server has to close even if a test has replaced the
 * timers.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** Calls back once after `ms` milliseconds. */
  after(ms: number, callback: () => void): Timer;
  cancel(timer: Timer): void;
  /** Bytes that nobody can guess. */
  randomBytes(length: number): Uint8Array;
}

/** The runtime's clock. It looks up the globals at each call, so that fake timers take effect. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** A random number, at least 0 and less than 1. */
export function randomFraction(clock: Clock): number {
  return clock.randomBytes(6).reduce((fraction, byte) => (fraction + byte) / 256, 0);
}

/** A name that nobody can guess, e.g. `gate-0f3a…`. */
export function randomName(prefix: string, bytes: number, clock: Clock): string {
  const digits = Array.from(clock.randomBytes(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  return `${prefix}-${digits.join("")}`;
}

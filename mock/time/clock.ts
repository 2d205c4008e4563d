/**
 * All that a mock knows of time and chance, and a `Clock` for the client: its dates, waits, rate limits and random names come
 * from here. Only the sockets of the HTTP server have timers of their own, because a server has to close even if a test has
 * replaced the timers.
 */
export interface Clock {
  /** The date, in milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** A random number, at least 0 and less than 1. */
  random(): number;
  /** Calls back once after `ms` milliseconds. Returns the timer, for `cancel`. */
  after(ms: number, callback: () => void): unknown;
  /** Cancels a timer. */
  cancel(timer: unknown): void;
}

/** The runtime's clock. It looks up the globals at each call, so that fake timers take effect. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  // Names and tokens are made of it: nobody may guess them.
  random: () => (crypto.getRandomValues(new Uint32Array(1))[0] as number) / 2 ** 32,
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

/** A name that nobody can guess, e.g. `gate-0f3a…`, unless the clock is virtual. */
export function randomName(prefix: string, bytes: number, clock: Clock): string {
  const digits = Array.from({ length: bytes }, () =>
    Math.floor(clock.random() * 256)
      .toString(16)
      .padStart(2, "0"),
  );
  return `${prefix}-${digits.join("")}`;
}

/** Numbers that look random, at least 0 and less than 1, and are the same for the same seed. */
export type Random = () => number;

/** A small generator of good quality: https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    return mix(state) / 2 ** 32;
  };
}

/** A number of 32 bits that looks random, another one for each number. */
export function mix(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), 1 | number);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

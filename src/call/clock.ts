/** A timer set by `after`; each clock has its own type. */
export type Timer = unknown;

/** The source of time and randomness. */
export interface Clock {
  /** The current date, in milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** A random number, at least 0 and less than 1. */
  random(): number;
  /** Calls back once after `ms` milliseconds. Returns the timer, for `cancel`. */
  after(ms: number, callback: () => void): Timer;
  /** Cancels a timer. */
  cancel(timer: Timer): void;
}

/** The runtime's clock. It looks up the globals at each call, so that fake timers take effect. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

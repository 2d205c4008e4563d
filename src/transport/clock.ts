/** What `after` has set; each clock has its own kind. */
export type Timer = unknown;

/** Where time and randomness come in; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** Calls back once, after so many milliseconds. */
  after(ms: number, callback: () => void): Timer;
  cancel(timer: Timer): void;
}

/** The runtime's own, looked up at each call, so that an application's fake timers are seen. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  random: () => Math.random(),
  after: (ms, callback) => setTimeout(callback, ms),
  cancel: (timer) => clearTimeout(timer as ReturnType<typeof setTimeout>),
};

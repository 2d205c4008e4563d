/** Where time and randomness come in; tests hand in their own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  date(): number;
  /** Monotonic milliseconds. */
  now(): number;
  /** At least 0, less than 1. */
  random(): number;
  /** Calls back once, after so many milliseconds; gives what cancels it. */
  after(ms: number, callback: () => void): () => void;
}

/** The runtime's own, looked up at each call, so that an application's fake timers are seen. */
export const systemClock: Clock = {
  date: () => Date.now(),
  now: () => performance.now(),
  random: () => Math.random(),
  after(ms, callback) {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};

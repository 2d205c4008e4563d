/**
 * How long a test or a hook may take, in milliseconds. It ends a test that hangs; it is no measure of speed, and holds on
 * a machine with much else to do.
 */
export const LIMIT_MS = 300_000;

/** How long a test waits for something, in milliseconds: it ends before the test, and says what it waited for. */
export const WAIT_MS = LIMIT_MS - 30_000;

/** A run in which nothing happens ends after its tests would have, in milliseconds. */
export const STANDSTILL_MS = LIMIT_MS + 60_000;

/** The time limits of every configuration of Vitest. */
export const timeLimits = {
  testTimeout: LIMIT_MS,
  hookTimeout: LIMIT_MS,
  expect: { poll: { timeout: WAIT_MS } },
} as const;

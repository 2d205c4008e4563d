/** Numbers that look random, at least 0 and less than 1, and are the same for the same seed. */
export type Random = () => number;

/** A small generator of good quality: https://github.com/bryc/code/blob/master/jshash/PRNGs.md#mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

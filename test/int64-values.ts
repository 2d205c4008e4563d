// Literals, not 2n ** 63n: `src` computes its limits, and a shared mistake would pass.
export const INT64_MIN = -9223372036854775808n;
export const INT64_MAX = 9223372036854775807n;

/** The first integers that are no int64. */
export const BELOW_INT64 = -9223372036854775809n;
export const ABOVE_INT64 = 9223372036854775808n;

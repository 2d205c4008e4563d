import { describe, expect, test } from "vitest";
import { INT64_MAX, INT64_MIN, isInt64, narrowInt64 } from "../../src/contract/int64.ts";

test("the range is that of a signed 64-bit integer", () => {
  expect(INT64_MIN).toBe(-9223372036854775808n);
  expect(INT64_MAX).toBe(9223372036854775807n);
});

describe("isInt64", () => {
  test.each([0, -0, 1, -1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0n, INT64_MIN, INT64_MAX])(
    "takes %s",
    (id) => {
      expect(isInt64(id)).toBe(true);
    },
  );
  test.each([
    2 ** 53,
    -(2 ** 53),
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    INT64_MAX + 1n,
    INT64_MIN - 1n,
    "1",
    null,
    undefined,
    true,
    {},
    Object(1),
    Object(1n),
  ])("refuses %s", (id) => {
    expect(isInt64(id)).toBe(false);
  });
});

test.each<[number | bigint, number | bigint]>([
  [0n, 0],
  [-0, 0],
  [-1n, -1],
  [9007199254740991n, 9007199254740991],
  [9007199254740992n, 9007199254740992n],
  [-9007199254740991n, -9007199254740991],
  [-9007199254740992n, -9007199254740992n],
  [INT64_MAX, INT64_MAX],
])("%s narrows to the exact %s", (value, narrowed) => {
  expect(narrowInt64(value)).toBe(narrowed);
});

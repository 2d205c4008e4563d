import { expect, test } from "vitest";
import { INT64_MAX, narrowInt64 } from "../../src/contract/int64.ts";

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

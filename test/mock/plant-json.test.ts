import { describe, expect, test } from "vitest";
import { decodeNewPlant, replaceNumbers } from "../../mock/service/plant-json.ts";
import { isInt64 } from "../../src/contract/int64.ts";
import { ABOVE_INT64, BELOW_INT64, INT64_MAX, INT64_MIN } from "../int64-values.ts";

const idOf = (text: string) => (decodeNewPlant(text) as { id: unknown }).id;

describe("an id in a body is read by its exact value", () => {
  test.each<[literal: string, id: number | bigint]>([
    ["0", 0],
    ["-0", 0],
    ["1.0", 1],
    ["1e2", 100],
    ["1200e-2", 12],
    ["9007199254740992", 9007199254740992n],
    ["9223372036854775807", INT64_MAX],
    ["9223372036854775807.000", INT64_MAX],
    ["0.00000000000000000000001e23", 1],
    ["-9223372036854775808", INT64_MIN],
    ["9223372036854775808", ABOVE_INT64],
    ["-9223372036854775809", BELOW_INT64],
  ])("%s is %s", (literal, id) => {
    expect(idOf(`{"id":${literal},"name":"M"}`)).toBe(id);
    expect(idOf(`{"name":"M" , "id" : ${literal} }`)).toBe(id);
  });

  test.each(["1.5", "1e-400", "1.00000000000000000001", "1e19999"])("%s is not an int64", (literal) => {
    expect(isInt64(idOf(`{"id":${literal}}`))).toBe(false);
  });
});

// In quadratic time, these would take an hour.
test.each([
  ["zeros within", `1${"0".repeat(1_000_000)}1`, Number.POSITIVE_INFINITY],
  ["zeros after the point", `7.${"0".repeat(1_000_000)}`, 7],
  ["zeros in front of a digit after the point", `0.${"0".repeat(1_000_000)}1`, Number.NaN],
  ["zeros of the exponent", `1e${"0".repeat(1_000_000)}2`, 100],
])("a million %s are read", (_, literal, id) => {
  expect(idOf(`{"id":${literal}}`)).toBe(id);
  expect(idOf(`{"name":"M","id":${literal} ,"x":1.5}`)).toBe(id);
});

describe("the last top-level id counts", () => {
  test.each<[name: string, text: string, id: unknown]>([
    ["twice", '{"id":1,"id":9007199254740993}', 9007199254740993n],
    ["twice, the last one small", '{"id":9007199254740993,"id":1}', 1],
    ["nested", '{"id":9007199254740993,"x":{"id":9007199254740995},"y":[{"id":3}]}', 9007199254740993n],
    ["in a text", '{"id":9007199254740993,"name":"\\"id\\":9007199254740995, {[1.5"}', 9007199254740993n],
    ["under an escaped name", '{"\\u0069d":9007199254740993}', 9007199254740993n],
    ["behind a name that ends with a backslash", '{"a\\\\":1,"id":9007199254740993}', 9007199254740993n],
    ["a text", '{"id":"9007199254740993"}', "9007199254740993"],
    ["null", '{"id":null,"x":1.5}', null],
    ["a fraction elsewhere", '{"id":7,"x":1.5}', 7],
  ])("%s", (_, text, id) => {
    expect(idOf(text)).toBe(id);
    const { id: _id, ...rest } = decodeNewPlant(text) as Record<string, unknown>;
    const { id: _other, ...expected } = JSON.parse(text);
    expect(rest).toEqual(expected);
  });

  test.each(["null", "7", '[{"id":9007199254740993}]', "{}"])("%s is read as by JSON.parse", (text) => {
    expect(decodeNewPlant(text)).toEqual(JSON.parse(text));
  });

  test.each(["", "{", '{"id":01}', '{"id":1,"name":"M"}x'])("%j is malformed, as it is for JSON.parse", (text) => {
    expect(() => decodeNewPlant(text)).toThrow(SyntaxError);
  });

  test("a deeply nested body does not overflow the stack", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(idOf(`{"x":${deep},"id":9007199254740993}`)).toBe(9007199254740993n);
  });
});

test.each([
  ['{"a":1,"b 2":[-3.5e+7,"4"]}', '{"a":#,"b 2":[#,"4"]}'],
  [String.raw`["1\"2",3,"\\",4,"\\\"5\\",6]`, String.raw`["1\"2",#,"\\",#,"\\\"5\\",#]`],
  ['[1,"2,3', '[#,"2,3'],
  [String.raw`[1,"2\"3`, String.raw`[#,"2\"3`],
])("numbers are replaced outside strings: %s", (text, replaced) => {
  expect(replaceNumbers(text, () => "#")).toBe(replaced);
});

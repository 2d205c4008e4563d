import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeNewPlant, encodePlant, replaceNumbers } from "../../mock/service/plant-json.ts";
import { isInt64 } from "../../src/contract/int64.ts";
import { encodeNewPlant } from "../../src/contract/json.ts";

const idOf = (text: string) => (decodeNewPlant(text) as { id: unknown }).id;

describe("an id in a body is read by its exact value", () => {
  test.each<[literal: string, id: number | bigint]>([
    ["0", 0],
    ["-0", 0],
    ["-0.0", 0],
    ["0e99", 0],
    ["7", 7],
    ["-7", -7],
    ["1.0", 1],
    ["1e2", 100],
    ["1E+2", 100],
    ["1200e-2", 12],
    ["12.50e1", 125],
    ["9007199254740991", 9007199254740991],
    ["9007199254740992", 9007199254740992n],
    ["9007199254740993", 9007199254740993n],
    ["-9007199254740993", -9007199254740993n],
    ["9007199254740993.0", 9007199254740993n],
    ["9223372036854775807", 9223372036854775807n],
    ["9223372036854775807.000", 9223372036854775807n],
    ["922337203685477580.7e1", 9223372036854775807n],
    ["0.00000000000000000000001e23", 1],
    ["-9223372036854775808", -9223372036854775808n],
    ["9223372036854775808", 9223372036854775808n],
    ["-9223372036854775809", -9223372036854775809n],
  ])("%s is %s", (literal, id) => {
    expect(idOf(`{"id":${literal},"name":"M"}`)).toBe(id);
    expect(idOf(`{"name":"M" , "id" : ${literal} }`)).toBe(id);
  });

  test.each([
    "1.5",
    "-0.1",
    "1e-1",
    "1e-400",
    "1e400",
    "1.00000000000000000001",
    "9223372036854775807.5",
    "1e19999",
    "123456789012345678901234567890",
  ])("%s is not an int64", (literal) => {
    expect(isInt64(idOf(`{"id":${literal}}`))).toBe(false);
  });
});

// In quadratic time, these would take an hour.
test.each([
  ["zeros within", `1${"0".repeat(1_000_000)}1`, Number.POSITIVE_INFINITY],
  ["zeros at the end", `1${"0".repeat(1_000_000)}`, Number.POSITIVE_INFINITY],
  ["zeros after the point", `7.${"0".repeat(1_000_000)}`, 7],
  ["zeros in front of a digit after the point", `0.${"0".repeat(1_000_000)}1`, Number.NaN],
  ["zeros of the exponent", `1e${"0".repeat(1_000_000)}2`, 100],
  ["nines", "9".repeat(1_000_000), Number.POSITIVE_INFINITY],
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
    ["next to another number", '{"x":9007199254740999.5,"id":9007199254740993,"y":1e400}', 9007199254740993n],
    ["behind a name that ends with a backslash", '{"a\\\\":1,"id":9007199254740993}', 9007199254740993n],
    ["as the name of a nested field", '{"id":9007199254740993,"x":{"y":[["id",{"id":[4]}]]}}', 9007199254740993n],
    ["a text", '{"id":"9007199254740993"}', "9007199254740993"],
    ["null", '{"id":null,"x":1.5}', null],
    ["a fraction elsewhere", '{"id":7,"x":1.5}', 7],
  ])("%s", (_, text, id) => {
    expect(idOf(text)).toBe(id);
    const { id: _id, ...rest } = decodeNewPlant(text) as Record<string, unknown>;
    const { id: _other, ...expected } = JSON.parse(text);
    expect(rest).toEqual(expected);
  });

  test.each(["null", "true", "7", '"id"', "[]", '[{"id":9007199254740993}]', "{}", '{"name":"M"}'])(
    "%s is read as by JSON.parse",
    (text) => {
      expect(decodeNewPlant(text)).toEqual(JSON.parse(text));
    },
  );

  test.each([
    "",
    "{",
    '{"id":01}',
    '{"id":+1}',
    '{"id":1.}',
    '{"id":.5}',
    '{"id":0x10}',
    '{"id":1_0}',
    "{'id':1}",
    '{"id":NaN}',
    '{"id":01,"name":"M"}',
    '{"id":x,"name":"M"}',
    '{"id":1x,"name":"M"}',
    '{"id":1,"name":"\n"}',
    '{"id":1,"name":"\\"}',
    '{"id":1,"name":"M","tag":"\t"}',
    '{"id":1,"name":"M","tag":"\\"}',
    '{"id":1,"name":"M""tag":"T"}',
    'x{"id":1,"name":"M"}',
    '{"id":1,"name":"M"}x',
  ])("%j is malformed, as it is for JSON.parse", (text) => {
    expect(() => decodeNewPlant(text)).toThrow(SyntaxError);
  });

  test("a deeply nested body does not overflow the stack", () => {
    const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    expect(idOf(`{"x":${deep},"id":9007199254740993}`)).toBe(9007199254740993n);
  });
});

describe("a body is read exactly as JSON.parse reads it", () => {
  test.each([
    '{"id":1,"name":""}',
    '{"id":0,"name":"Monstera"}',
    '{"id":-7,"name":"M"}',
    '{"id":10,"name":"M","tag":""}',
    '{"id":9007199254740991,"name":"Monstera deliciosa","tag":"in, shade!"}',
    '{"id":1,"name":"\\\\"}',
    '{"id":1,"name":"M","tag":"\\\\"}',
    '{"id":1,"name":"\\"","tag":"\\u0041\ud800é"}',
    '{"tag":"T","name":"M","id":1}',
  ])("%s", (text) => {
    const body = decodeNewPlant(text) as object;
    expect(body).toStrictEqual(JSON.parse(text));
    expect(Object.keys(body)).toEqual(Object.keys(JSON.parse(text)));
  });
});

/** The exact value of a JSON number, computed without floating point: an integer, or nothing. */
function oracle(literal: string): bigint | undefined {
  const [mantissa = "", exponent = "0"] = literal.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  let digits = BigInt(whole + fraction);
  let power = BigInt(exponent) - BigInt(fraction.length);
  if (digits === 0n) return 0n;
  for (; power < 0n && digits % 10n === 0n; power++) digits /= 10n;
  if (power < 0n) return undefined;
  return (mantissa.startsWith("-") ? -1n : 1n) * digits * 10n ** power;
}

const digits = fc.stringMatching(/^(0|[1-9]\d{0,20})$/);
const literals = fc
  .tuple(fc.boolean(), digits, fc.option(fc.stringMatching(/^\d{1,22}$/)), fc.option(fc.integer({ min: -30, max: 30 })))
  .map(([minus, whole, fraction, exponent]) =>
    [minus ? "-" : "", whole, fraction === null ? "" : `.${fraction}`, exponent === null ? "" : `e${exponent}`].join(
      "",
    ),
  );
const near = fc
  .tuple(fc.constantFrom(0n, 2n ** 31n, 2n ** 53n, 2n ** 63n), fc.bigInt({ min: -3n, max: 3n }), fc.boolean())
  .map(([base, offset, minus]) => `${minus ? -(base + offset) : base + offset}`);

test("any JSON number as an id agrees with exact arithmetic", () => {
  fc.assert(
    fc.property(fc.oneof(literals, near), fc.jsonValue(), (literal, other) => {
      const exact = oracle(literal);
      const id = idOf(`{"a":${JSON.stringify(other)},"id":${literal}}`);
      const inRange = exact !== undefined && BigInt.asIntN(64, exact) === exact;
      if (inRange) expect(BigInt(id as number | bigint)).toBe(exact);
      else expect(isInt64(id)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

const text = fc.string({ unit: "binary" });
const lone = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });
const plants = fc.record(
  {
    id: fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
    name: fc.oneof(text, lone),
    tag: fc.oneof(text, lone),
  },
  { requiredKeys: ["id", "name"] },
);

test("an encoded plant is JSON with its exact id, and decodes to the same plant", () => {
  fc.assert(
    fc.property(plants, (plant) => {
      const encoded = encodeNewPlant(plant);
      const { id, name, tag } = plant;
      expect(encoded.startsWith(`{"id":${BigInt(id)},"name":`)).toBe(true);
      expect(/\p{Surrogate}/u.test(encoded)).toBe(false);
      const expected = tag === undefined ? { name } : { name, tag };
      const { id: _, ...parsed } = JSON.parse(encoded);
      expect(parsed).toEqual(expected);
      const decoded = decodeNewPlant(encoded) as { id: number | bigint };
      expect(BigInt(decoded.id)).toBe(BigInt(id));
      expect(JSON.stringify({ ...parsed })).toBe(JSON.stringify(expected));
      expect(encodePlant(plant)).toBe(JSON.stringify(expected));
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['{"a":1,"b 2":[-3.5e+7,"4"]}', '{"a":#,"b 2":[#,"4"]}'],
  [String.raw`["1\"2",3,"\\",4,"\\\"5\\",6]`, String.raw`["1\"2",#,"\\",#,"\\\"5\\",#]`],
  ['[1,"2,3', '[#,"2,3'],
  [String.raw`[1,"2\"3`, String.raw`[#,"2\"3`],
])("numbers are replaced outside strings: %s", (text, replaced) => {
  expect(replaceNumbers(text, () => "#")).toBe(replaced);
});

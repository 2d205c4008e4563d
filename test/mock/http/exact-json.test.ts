import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeExactJson, encodeExactJson } from "../../../mock/http/exact-json.ts";
import { INT64_MAX, INT64_MIN } from "../../int64-values.ts";

describe("exact JSON", () => {
  it("writes a bigint as a bare integer, digit for digit", () => {
    expect(encodeExactJson({ id: INT64_MAX, list: [INT64_MIN, 1] })).toBe(
      '{"id":9223372036854775807,"list":[-9223372036854775808,1]}',
    );
  });

  it("reads an integer beyond 2^53 as a bigint, and nothing else", () => {
    expect(
      decodeExactJson('[9007199254740993,9007199254740991,-9007199254740993,1.5,"9007199254740993",1e20]'),
    ).toEqual([9007199254740993n, 9007199254740991, -9007199254740993n, 1.5, "9007199254740993", 1e20]);
  });

  it("round-trips any JSON value, and any int64", () => {
    const int64 = fc.bigInt({ min: INT64_MIN, max: INT64_MAX }).filter((id) => !Number.isSafeInteger(Number(id)));
    const value = fc.letrec((tie) => ({
      node: fc.oneof(
        fc.string({ unit: "binary" }),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        int64,
        tie("list"),
        tie("map"),
      ),
      list: fc.array(tie("node"), { maxLength: 4 }),
      map: fc.dictionary(
        fc.string().filter((key) => key !== "__proto__"),
        tie("node"),
        { maxKeys: 4, noNullPrototype: true },
      ),
    })).node;
    fc.assert(
      fc.property(value, (sent) => {
        expect(decodeExactJson(encodeExactJson(sent))).toEqual(sent);
      }),
    );
  });
});

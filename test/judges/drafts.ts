import fc from "fast-check";
import { INT64_MAX } from "../int64-values.ts";
import type { Draft } from "./contract.ts";

const EDGES = [31n, 53n, 63n].flatMap((bits) => [2n ** bits, -(2n ** bits)]);

/** Integers that are judged in every run: the limits, and their neighbors. */
export const edgeIntegers: readonly bigint[] = EDGES.flatMap((edge) => [edge - 1n, edge, edge + 1n]);

/** Ids that are judged in every run: those integers, and other texts of numbers at the edge. */
export const edgeDrafts: readonly [Draft][] = [
  ...edgeIntegers.map(String),
  "1e2",
  `${INT64_MAX}.0`,
  `${INT64_MAX}.5`,
  "1e400",
  "1e-400",
].map((id) => [{ rest: { name: "x" }, id }]);

/** Integers that are likely to break something: around ±2^31, ±2^53 and ±2^63, and any other. */
export const integers: fc.Arbitrary<bigint> = fc.oneof(
  fc.tuple(fc.constantFrom(...EDGES), fc.bigInt({ min: -2n, max: 2n })).map(([edge, delta]) => edge + delta),
  fc.bigInt({ min: -(2n ** 66n), max: 2n ** 66n }),
  fc.bigInt({ min: -100n, max: 100n }),
);

/** An integer in one of its JSON notations, or a number close to it. */
const numberTexts: fc.Arbitrary<string> = fc
  .record({
    integer: integers,
    zeros: fc.nat({ max: 25 }),
    places: fc.nat({ max: 25 }),
    form: fc.constantFrom("plain", "fraction", "exponent", "shifted", "close", "tiny", "huge"),
    letter: fc.constantFrom("e", "E", "e+", "E+"),
  })
  .map(({ integer, zeros, places, form, letter }) => {
    const digits = `${integer}`;
    if (integer === 0n) return `0e${places}`;
    if (form === "fraction") return `${digits}.${"0".repeat(zeros + 1)}`;
    if (form === "exponent") return `${digits}${letter}${places}`;
    if (form === "shifted") return `${digits}${"0".repeat(places)}e-${places}`;
    if (form === "close") return `${digits}.${"0".repeat(zeros)}1`;
    if (form === "tiny") return `${digits}e-${places + 300}`;
    if (form === "huge") return `${digits}e${places + 300}`;
    return digits;
  });

const idTexts: fc.Arbitrary<string | undefined> = fc.oneof(
  { weight: 8, arbitrary: numberTexts },
  {
    weight: 1,
    arbitrary: fc.constantFrom(undefined, '"1"', "null", "true", "[]", "{}", "-0", "0.0", "-0e5", "0e99999"),
  },
);

const texts = fc.string({ unit: "binary", maxLength: 20 });
const fields = fc.record(
  {
    name: fc.oneof({ weight: 6, arbitrary: texts }, { weight: 1, arbitrary: fc.jsonValue() }),
    tag: fc.oneof({ weight: 4, arbitrary: texts }, { weight: 1, arbitrary: fc.jsonValue() }),
    color: fc.jsonValue(),
    more: fc
      .record({ id: fc.double({ noNaN: true, noDefaultInfinity: true }), name: fc.anything() })
      .map(() => ({ id: 1.5 })),
  },
  { requiredKeys: [] },
);

/** Request bodies near the limit between valid and invalid. */
export const drafts: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ rest: fields, id: idTexts }) },
  { weight: 4, arbitrary: fc.record({ rest: fc.record({ name: texts }), id: idTexts }) },
  { weight: 1, arbitrary: fc.jsonValue().map((rest) => ({ rest, id: undefined })) },
);

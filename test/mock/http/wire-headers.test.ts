import { describe, expect, it } from "vitest";
import { wireHeadersReader } from "../../../mock/http/wire-headers.ts";

const HEADERS = ["Host", "x", "Accept", "*/*"];

describe("the headers of successive requests", () => {
  it("are kept once if they are equal", () => {
    const read = wireHeadersReader();
    const first = read(HEADERS);
    expect(read([...HEADERS])).toBe(first);
    expect(read([])).not.toBe(first);
    expect(read(HEADERS)).not.toBe(first);
  });

  it.each([
    ["the first alone", ["Host", "x"], [["host", "x"]]],
    [
      "one more",
      [...HEADERS, "A", "b"],
      [
        ["host", "x"],
        ["accept", "*/*"],
        ["a", "b"],
      ],
    ],
    [
      "another value",
      ["Host", "x", "Accept", "text/html"],
      [
        ["host", "x"],
        ["accept", "text/html"],
      ],
    ],
    [
      "another name",
      ["Host", "x", "Expect", "*/*"],
      [
        ["host", "x"],
        ["expect", "*/*"],
      ],
    ],
    [
      "none of the same",
      ["Origin", "y", "Via", "z"],
      [
        ["origin", "y"],
        ["via", "z"],
      ],
    ],
    ["none", [], []],
  ])("are those of each: %s", (_which, raw, headers) => {
    const read = wireHeadersReader();
    read(HEADERS);
    expect([...read(raw)]).toEqual(headers);
  });
});

it("any number of headers is listed, each in the same time", () => {
  const raw = Array.from({ length: 200_000 }, (_, i) => [`X-${i}`, "a", "X-Same", "b"]).flat();
  const listed = [...wireHeadersReader()(raw)];
  expect(listed).toHaveLength(200_001);
  expect(listed[1]?.[1].startsWith("b, b, ")).toBe(true);
});

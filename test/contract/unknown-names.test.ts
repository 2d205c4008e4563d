import { describe, expect, test } from "vitest";
import { type OptionReport, readOptions, unknownName } from "../../src/checks/options.ts";
import { callable, integer } from "../../src/checks/rules.ts";
import { mustBe } from "../rules-in-words.ts";

const RULES = { timeoutMs: integer(1), when: callable };
const REPORT: OptionReport = {
  separator: ": ",
  errorOf: (option, message) => new RangeError(message, { cause: option }),
  checksAbsent: false,
};

describe("readOptions", () => {
  test("returns every option by name, undefined if absent", () => {
    expect(readOptions({ timeoutMs: 1 }, RULES, REPORT)).toEqual({ timeoutMs: 1, when: undefined });
  });

  test.each([
    [
      { timeout: [] },
      { within: "auth" },
      "auth.timeout",
      'unknown option "auth.timeout"; known options: timeoutMs, when',
    ],
    [{ tims: 3 }, { noun: "field" }, "tims", 'unknown field "tims"; known fields: timeoutMs, when'],
    [[], { within: "auth" }, "auth", `auth ${mustBe.object} an array`],
    [7, { noun: "field" }, "fields", `fields ${mustBe.object} a number`],
    [{ timeoutMs: 1, when: 2 }, { within: "auth" }, "auth.when", `auth.when: ${mustBe.callable} 2`],
  ])("names what is wrong with %j, nested or a field", (given, words, option, message) => {
    expect(() => readOptions(given, RULES, REPORT, words)).toThrow(new RangeError(message, { cause: option }));
  });
});

describe("an unknown name", () => {
  test("is shown in bounded length, with the list of the known ones", () => {
    const message = `unknown option "${"x".repeat(40)}…"; known options: timeoutMs, when`;
    expect(unknownName("x".repeat(41), Object.keys(RULES))).toBe(message);
  });

  test("gets a message if there are no names", () => {
    expect(unknownName("session", [], "query parameter")).toBe(
      'unknown query parameter "session"; known query parameters: none',
    );
  });
});

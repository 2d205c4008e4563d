import { describe, expect, test } from "vitest";
import { didYouMean, explainUnknownName } from "../../mock/service/did-you-mean.ts";
import { readOptions, unknownName } from "../../src/checks/options.ts";

const NAMES = ["timeoutMs", "tokens", "when"] as const;
type Options = { timeoutMs?: number; tokens?: string[]; when?: object };

describe("readOptions", () => {
  test("returns every option by name, undefined if absent", () => {
    expect(readOptions<Options>({ timeoutMs: 1 }, NAMES)).toEqual({
      options: { timeoutMs: 1, tokens: undefined, when: undefined },
    });
  });

  test("reads getters, inherited ones too, once each", () => {
    let reads = 0;
    class Configuration {
      get timeoutMs() {
        reads++;
        return 1;
      }
    }
    expect(readOptions<Options>(new Configuration(), NAMES).options?.timeoutMs).toBe(1);
    expect(reads).toBe(1);
  });

  test("names a nested option, and a field as a field", () => {
    expect(readOptions<Options>({ token: [] }, NAMES, { within: "auth", hint: didYouMean }).problem).toEqual({
      option: "auth.token",
      message: 'unknown option "auth.token"; did you mean "auth.tokens"?',
    });
    expect(readOptions<Options>({ tims: 3 }, NAMES, { noun: "field" }).problem).toEqual({
      option: "tims",
      message: 'unknown field "tims"; known fields: timeoutMs, tokens, when',
    });
    expect(readOptions<Options>([], NAMES, { within: "auth" }).problem).toEqual({
      option: "auth",
      message: "auth must be an object, not an array",
    });
  });
});

describe("an unknown name", () => {
  test.each([
    ["timeout", 'unknown option "timeout"; did you mean "timeoutMs"?'],
    ["x".repeat(41), `unknown option "${"x".repeat(40)}…"; known options: timeoutMs, tokens, when`],
    ["TimeoutMS", 'unknown option "TimeoutMS"; did you mean "timeoutMs"?'],
    ["token", 'unknown option "token"; did you mean "tokens"?'],
    ["timeou", 'unknown option "timeou"; did you mean "timeoutMs"?'],
    ["whe", 'unknown option "whe"; did you mean "when"?'],
    ["wh", 'unknown option "wh"; known options: timeoutMs, tokens, when'],
    ["hwen", 'unknown option "hwen"; did you mean "when"?'],
    ["whenn", 'unknown option "whenn"; did you mean "when"?'],
    ["whan", 'unknown option "whan"; did you mean "when"?'],
    ["hwne", 'unknown option "hwne"; known options: timeoutMs, tokens, when'],
    ["ehwn", 'unknown option "ehwn"; known options: timeoutMs, tokens, when'],
    ["tms", 'unknown option "tms"; known options: timeoutMs, tokens, when'],
    ["", 'unknown option ""; known options: timeoutMs, tokens, when'],
  ])("such as %j gets a suggestion within a third of its length, or the list", (name, message) => {
    expect(explainUnknownName(name, NAMES)).toBe(message);
  });

  test("gets the nearest name", () => {
    expect(didYouMean("--prot", ["--post", "--port", "--pronto"])).toBe('did you mean "--port"?');
    expect(didYouMean("--porta", ["--post", "--port", "--pronto"])).toBe('did you mean "--port"?');
  });

  test("gets the list alone from the client, whose compiler makes suggestions", () => {
    expect(unknownName("timeout", NAMES)).toBe('unknown option "timeout"; known options: timeoutMs, tokens, when');
  });

  test("gets a message if there are no names", () => {
    expect(unknownName("session", [], { noun: "query parameter" })).toBe(
      'unknown query parameter "session"; known query parameters: none',
    );
  });

  test("of a million characters is not compared", () => {
    const compared = { characters: 0 };
    const name = Object.assign(Object("x".repeat(1_000_000)), { toLowerCase: () => compared.characters++ });
    didYouMean(name, NAMES);
    expect(compared.characters).toBe(0);
  });
});

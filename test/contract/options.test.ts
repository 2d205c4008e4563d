import { describe, expect, test } from "vitest";
import { readOptions, unknownName } from "../../src/contract/options.ts";

const NAMES = ["timeoutMs", "tokens", "when"] as const;
type Options = { timeoutMs?: number; tokens?: string[]; when?: object };

describe("readOptions", () => {
  test("returns every option by name, undefined if absent", () => {
    expect(readOptions<Options>({ timeoutMs: 1 }, NAMES)).toEqual({
      options: { timeoutMs: 1, tokens: undefined, when: undefined },
    });
  });

  test("accepts an object without a prototype or of another realm, and a non-enumerable property", () => {
    const bare = Object.defineProperty(Object.create(null), "timeoutMs", { value: 1, enumerable: false });
    expect(readOptions<Options>(bare, NAMES).options?.timeoutMs).toBe(1);
  });

  test("names a nested option, and a field as a field", () => {
    expect(readOptions<Options>({ token: [] }, NAMES, "auth").problem).toEqual({
      option: "auth.token",
      message: 'unknown option "auth.token"; did you mean "auth.tokens"?',
    });
    expect(readOptions<Options>({ tims: 3 }, NAMES, undefined, "field").problem).toEqual({
      option: "tims",
      message: 'unknown field "tims"; known fields: timeoutMs, tokens, when',
    });
    expect(readOptions<Options>([], NAMES, "auth").problem).toEqual({
      option: "auth",
      message: "auth must be an object, not an array",
    });
  });

  test("ignores an option on Object.prototype", () => {
    Object.assign(Object.prototype, { tokens: ["polluted"] });
    try {
      expect(readOptions<Options>({ timeoutMs: 1 }, NAMES).options?.tokens).toBeUndefined();
    } finally {
      Reflect.deleteProperty(Object.prototype, "tokens");
    }
  });

  test("names an object that cannot be read", () => {
    const ownKeys = () => {
      throw new Error("no keys");
    };
    const unreadable = new Proxy({}, { ownKeys });
    expect(readOptions<Options>(unreadable, NAMES).problem).toEqual({
      option: "options",
      message: "options cannot be read: no keys",
    });
    expect(readOptions<Options>(unreadable, NAMES, "auth").problem).toEqual({
      option: "auth",
      message: "auth cannot be read: no keys",
    });
  });

  test("rejects a setter without a getter, and a revoked proxy", () => {
    const setter = Object.defineProperty({}, "when", { set: () => {} });
    expect(readOptions<Options>(setter, NAMES).problem?.message).toBe(
      "when must be a plain property of the object itself; it is an accessor",
    );
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(readOptions<Options>(proxy, NAMES).problem?.message).toBe("options must be an object, not a revoked proxy");
  });
});

describe("unknownName", () => {
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
  ])("of %j suggests a name within a third of its length, or lists all", (name, message) => {
    expect(unknownName(name, NAMES)).toBe(message);
  });

  test("suggests the nearest name", () => {
    expect(unknownName("--prot", ["--post", "--port", "--pronto"])).toContain('did you mean "--port"?');
    expect(unknownName("--porta", ["--post", "--port", "--pronto"])).toContain('did you mean "--port"?');
  });

  test("reports that there are no names", () => {
    expect(unknownName("session", [], "query parameter")).toBe(
      'unknown query parameter "session"; known query parameters: none',
    );
  });

  test("does not compare a name of a million characters", () => {
    const compared = { characters: 0 };
    const name = Object.assign(Object("x".repeat(1_000_000)), { toLowerCase: () => compared.characters++ });
    unknownName(name, NAMES);
    expect(compared.characters).toBe(0);
  });
});

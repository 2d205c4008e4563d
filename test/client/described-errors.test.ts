import { expect, test } from "vitest";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { reasonOf } from "../../src/checks/thrown.ts";

test("what cannot be described has no reason", () => {
  expect(reasonOf(Object.create(null))).toBe("");
});

test("the name of a character that no token has stays", () => {
  expect(createRedact(["token-0123456789abcdef"])("a&nbsp;b%2Bc")).toBe("a&nbsp;b%2Bc");
});

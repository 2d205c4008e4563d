import { createPlants } from "plant-store-client";
import { expect, test } from "vitest";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { reasonOf } from "../../src/checks/thrown.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

test("what cannot be described has no reason", () => {
  expect(reasonOf(Object.create(null))).toBe("");
});

test("the name of a character that no token has stays", () => {
  expect(createRedact(["token-0123456789abcdef"])("a&nbsp;b%2Bc")).toBe("a&nbsp;b%2Bc");
});

test("a run with a Proxy of a client sends nothing, and says what to pass", async () => {
  const { client, posts } = setup([]);
  const results = createPlants(new Proxy(client, {}), [PLANT]);
  const { value } = await results.next();
  expect(value.error).toMatchObject({ kind: "config", outcome: "not-sent" });
  expect(value.error.message).toContain("not a Proxy of it");
  expect(posts).toHaveLength(0);
});

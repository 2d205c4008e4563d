import { createPlants, PlantStoreConfigError } from "plant-store-client";
import { expect, test } from "vitest";
import { createRedact } from "../../src/checks/redaction/redact-text.ts";
import { reasonOf } from "../../src/checks/thrown.ts";
import { withUnsent } from "../../src/create-plants/failures.ts";
import { PLANT, setup } from "./fixtures/setup.ts";

test("what cannot be described has no reason", () => {
  expect(reasonOf(Object.create(null))).toBe("");
});

test("an error whose fields cannot be read ends a run as it is", () => {
  const error = new PlantStoreConfigError({ message: "m", option: "token" });
  Object.defineProperty(error, "mine", {
    enumerable: true,
    get() {
      throw new Error("unreadable");
    },
  });
  expect(withUnsent(error, 3)).toBe(error);
});

test.each(["mine", "constructor"])(
  "an error of the kind %s, which this library does not have, ends a run as it is",
  (kind) => {
    const error = Object.assign(new PlantStoreConfigError({ message: "m", option: "token" }), { kind });
    expect(withUnsent(error, 3)).toBe(error);
  },
);

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

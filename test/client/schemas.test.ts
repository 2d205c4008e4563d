import type { StandardSchemaV1 as Standard } from "@standard-schema/spec";
import {
  type ErrorBody,
  errorSchema,
  type Issue,
  type NewPlant,
  type NewPlantText,
  newPlantSchema,
  newPlantTextSchema,
  type Plant,
  plantSchema,
  type ValidNewPlant,
} from "plant-store-client";
import { expect, test } from "vitest";
import { ABOVE_INT64, INT64_MIN } from "../int64-values.ts";

// They are Standard Schemas by the specification's own types.
const schemas: {
  newPlant: Standard<NewPlant, ValidNewPlant>;
  newPlantText: Standard<NewPlantText, ValidNewPlant>;
  plant: Standard<Plant>;
  error: Standard<ErrorBody>;
} = {
  newPlant: newPlantSchema,
  newPlantText: newPlantTextSchema,
  plant: plantSchema,
  error: errorSchema,
};

test.each(Object.entries(schemas))("%s is a Standard Schema of version 1", (_, schema) => {
  expect(schema["~standard"]).toMatchObject({ version: 1, vendor: "plant-store-client" });
});

test("newPlantSchema gives the contract's fields alone, plantSchema and errorSchema the value itself", () => {
  const input = { id: 1n, name: "M", tag: undefined, extra: 1 };
  expect(newPlantSchema["~standard"].validate(input)).toEqual({ value: { id: 1n, name: "M" } });
  const plant = { name: "M", extra: 1 };
  const checked = plantSchema["~standard"].validate(plant);
  expect(checked).toEqual({ value: plant });
  expect("value" in checked && checked.value).toBe(plant);
  const error = { error: 1, message: "no", extra: 1 };
  const checkedError = errorSchema["~standard"].validate(error);
  expect("value" in checkedError && checkedError.value).toBe(error);
});

test("a null for an optional field is absent in what a schema gives, and stays in what it was given", () => {
  const row = { id: 1, name: "M", tag: null };
  expect(newPlantSchema["~standard"].validate(row)).toEqual({ value: { id: 1, name: "M" } });
  expect(newPlantTextSchema["~standard"].validate({ ...row, id: "1" })).toEqual({ value: { id: 1, name: "M" } });
  expect(plantSchema["~standard"].validate(row)).toEqual({ value: { id: 1, name: "M" } });
  expect(row).toEqual({ id: 1, name: "M", tag: null });
});

const readText = (texts: unknown) => newPlantTextSchema["~standard"].validate(texts);

test.each([
  [
    { id: " 12\t", name: " M ", tag: "\n" },
    { id: 12, name: " M " },
  ],
  [
    { id: "007", name: "M", tag: " climber " },
    { id: 7, name: "M", tag: "climber" },
  ],
  [
    { id: "-0", name: "M", tag: undefined, extra: "1" },
    { id: 0, name: "M" },
  ],
  [
    { id: "9007199254740991", name: "M" },
    { id: Number.MAX_SAFE_INTEGER, name: "M" },
  ],
  [
    { id: "9007199254740992", name: "M" },
    { id: 9007199254740992n, name: "M" },
  ],
  [
    { id: `${INT64_MIN}`, name: "M" },
    { id: INT64_MIN, name: "M" },
  ],
])("newPlantTextSchema reads %j", (texts, value) => {
  expect(readText(texts)).toEqual({ value });
});

test.each([
  ["", "required"],
  ["  ", "required"],
  [`${ABOVE_INT64}`, "range"],
  ["9".repeat(100), "range"],
  ["9".repeat(101), "type"],
  ["+5", "type"],
  ["1e2", "type"],
  ["1.0", "type"],
  ["--1", "type"],
  ["1 2", "type"],
  ["\uFF11", "type"],
])("newPlantTextSchema refuses the id %j", (id, rule) => {
  expect(readText({ id, name: "M" })).toEqual({ issues: [{ path: ["id"], rule, message: expect.any(String) }] });
});

test.each(["", " \t"])(
  "newPlantTextSchema takes the name %j as missing, newPlantSchema as the contract does",
  (name) => {
    const issues = [{ path: ["name"], rule: "required", message: "is required" }];
    expect(readText({ id: "1", name })).toEqual({ issues });
    expect(newPlantSchema["~standard"].validate({ id: 1, name })).toEqual({ value: { id: 1, name } });
  },
);

test("an issue names the kind of its rule", () => {
  const rulesOf = (schema: Standard, value: unknown) => {
    const { issues } = schema["~standard"].validate(value) as { readonly issues: readonly Issue[] };
    return issues.map(({ path, rule }) => [...path, rule].join(" "));
  };
  expect(rulesOf(newPlantSchema, { id: 2 ** 53, tag: 7 })).toEqual(["id range", "name required", "tag type"]);
  expect(rulesOf(newPlantSchema, { id: ABOVE_INT64, name: 7 })).toEqual(["id range", "name type"]);
  expect(rulesOf(newPlantSchema, { id: 1.5, name: 1n })).toEqual(["id type", "name type"]);
  expect(rulesOf(errorSchema, { error: 2 ** 31, message: "m" })).toEqual(["error range"]);
  expect(rulesOf(newPlantTextSchema, ["1", "M"])).toEqual(["type"]);
});

test("a value that cannot be read is invalid, with the reason", () => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const schema of [newPlantSchema, newPlantTextSchema]) {
    const message = expect.stringMatching(/^cannot be read: .*revoked/);
    expect(schema["~standard"].validate(proxy)).toEqual({ issues: [{ path: [], rule: "type", message }] });
  }
  const withoutWords = {
    get id() {
      throw Object.create(null);
    },
  };
  expect(newPlantSchema["~standard"].validate(withoutWords)).toMatchObject({ issues: [{ message: "cannot be read" }] });
});

import type { StandardSchemaV1 as Standard } from "@standard-schema/spec";
import {
  type ErrorBody,
  errorSchema,
  type NewPlant,
  newPlantSchema,
  type Plant,
  plantSchema,
} from "plant-store-client";
import { expect, test } from "vitest";

// They are Standard Schemas by the specification's own types.
const schemas: { newPlant: Standard<NewPlant>; plant: Standard<Plant>; error: Standard<ErrorBody> } = {
  newPlant: newPlantSchema,
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

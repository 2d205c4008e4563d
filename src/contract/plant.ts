import { int64, optional, required, string } from "./rules.ts";
import { type Result, type StandardSchemaV1, standardSchema, validateFields } from "./schema.ts";

/**
 * A plant, as the service returns it.
 *
 * Source: contract, "Plant". The declared response has no `id`.
 */
export interface Plant {
  /** The name of the plant. */
  name: string;
  /** Tag that specifies the type of plant. */
  tag?: string;
}

/**
 * A plant to create.
 *
 * Source: contract, "NewPlant". Only these three fields are sent.
 */
export interface NewPlant {
  /**
   * Identification number of the plant, an int64 that the caller supplies: a `number` up to
   * `Number.MAX_SAFE_INTEGER`, a `bigint` for any int64.
   */
  id: number | bigint;
  /** The name of the plant. */
  name: string;
  /** Tag that specifies the type of plant. `undefined` means absent. */
  tag?: string | undefined;
}

const PLANT = { name: /* @__PURE__ */ required(string), tag: /* @__PURE__ */ optional(string) };
const NEW_PLANT = { id: /* @__PURE__ */ required(int64), ...PLANT };

/** The fields of a {@link NewPlant}, in the order of the request body. */
export const NEW_PLANT_FIELDS: readonly (keyof NewPlant)[] = /* @__PURE__ */ Object.keys(
  NEW_PLANT,
) as (keyof NewPlant)[];

/** A validated plant to create: no field is `undefined`. */
export type ValidNewPlant = NewPlant & { tag?: string };

/** Reads a plant to create into a new object that has only the contract's fields. */
export function validateNewPlant(value: unknown): Result<ValidNewPlant> {
  return validateFields<ValidNewPlant>(value, NEW_PLANT, {});
}

/** Checks a plant of a response. Unknown fields are kept. */
export function validatePlant(value: unknown): Result<Plant> {
  return validateFields<Plant>(value, PLANT);
}

/**
 * {@link NewPlant} as a Standard Schema, for forms, routers and other libraries that accept one.
 *
 * @example
 * {@includeCode ../../examples/standard-schema-form.ts#validate}
 */
export const newPlantSchema: StandardSchemaV1<NewPlant> = /* @__PURE__ */ standardSchema(validateNewPlant);

/**
 * {@link Plant} as a Standard Schema. Unknown fields are kept.
 *
 * @example
 * {@includeCode ../../docs/code/reference.ts#plantSchema}
 */
export const plantSchema: StandardSchemaV1<Plant> = /* @__PURE__ */ standardSchema(validatePlant);

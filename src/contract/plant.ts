import { hasFields } from "../checks/objects.ts";
import { type FieldRules, nullable, optional, type Rule, required, string } from "../checks/rules.ts";
import { type StandardSchemaV1, standardSchema, type Validation, validateFields } from "../checks/schema.ts";
import { reasonOf } from "../checks/thrown.ts";
import { int64, readInteger } from "./int64.ts";
import type { components } from "./openapi.ts";

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
  /** Tag that specifies the type of plant. Passing `undefined` or null, as a row of SQL has it, equals omitting it. */
  tag?: string | null | undefined;
}

/** A plant to create, checked: only the fields of the contract, and no field is null or undefined. */
export type ValidNewPlant = { [Name in keyof NewPlant]: Exclude<NewPlant[Name], null | undefined> };

/** A plant to create as texts: of a form, a row of CSV, or a command line. See {@link newPlantTextSchema}. */
export interface NewPlantText {
  /** The decimal digits of an int64, after an optional `-`. Surrounding white space is ignored. */
  id: string;
  /** The name of the plant, as it is; an empty or blank text means that it is missing. */
  name: string;
  /** Surrounding white space is ignored; an empty text means absent. */
  tag?: string | undefined;
}

/** What a field may hold. */
export const FIELD_RULES = { string, int64 };

/** One field of a schema: its rule, encoding and place in forms follow from this. */
export interface Field {
  readonly type: keyof typeof FIELD_RULES;
  readonly isRequired: boolean;
}

/** A row for each property of a schema; a missing row, or one that contradicts the schema, does not compile. */
type FieldsOf<Schema> = {
  readonly [Name in keyof Schema]-?: {
    readonly type: Exclude<Schema[Name], undefined> extends string ? "string" : "int64";
    readonly isRequired: undefined extends Schema[Name] ? false : true;
  };
};

/** The fields of a {@link Plant}, in the order of a response. */
export const PLANT_FIELDS = {
  name: { type: "string", isRequired: true },
  tag: { type: "string", isRequired: false },
} as const satisfies FieldsOf<components["schemas"]["Plant"]>;

/** The fields of a {@link NewPlant}, in the order of a request. Everything else that is said of a field follows from it. */
export const NEW_PLANT_FIELDS = {
  id: { type: "int64", isRequired: true },
  ...PLANT_FIELDS,
} as const satisfies FieldsOf<components["schemas"]["NewPlant"]>;

/** The names of the fields, in the same order. */
export const PLANT_NAMES: readonly (keyof Plant)[] = /* @__PURE__ */ namesOf(PLANT_FIELDS);
export const NEW_PLANT_NAMES: readonly (keyof NewPlant)[] = /* @__PURE__ */ namesOf(NEW_PLANT_FIELDS);

function namesOf<Name extends string>(fields: Readonly<Record<Name, Field>>): Name[] {
  return Object.keys(fields) as Name[];
}

const PLANT_RULES: FieldRules = /* @__PURE__ */ rulesOf(PLANT_FIELDS, nullable);
const NEW_PLANT_RULES: FieldRules = /* @__PURE__ */ rulesOf(NEW_PLANT_FIELDS, nullable);
/** The schema allows no null. */
const STRICT_NEW_PLANT_RULES: FieldRules = /* @__PURE__ */ rulesOf(NEW_PLANT_FIELDS, optional);

/** @param unlessAbsent - Creates the rule of an optional field. */
function rulesOf<Name extends string>(
  fields: Readonly<Record<Name, Field>>,
  unlessAbsent: (rule: Rule) => Rule,
): FieldRules {
  return Object.entries<Field>(fields).map(([name, { type, isRequired }]) => {
    const withAbsence = isRequired ? required : unlessAbsent;
    return { name, rule: withAbsence(FIELD_RULES[type]) };
  });
}

/** Reads a plant to create into a new object that has only the contract's fields. A null for an optional one is absent. */
export function validateNewPlant(value: unknown): Validation<ValidNewPlant> {
  try {
    return validateFields<ValidNewPlant>(value, NEW_PLANT_RULES, {});
  } catch (error) {
    return unreadable(error);
  }
}

/** A getter throws, or the value is a revoked Proxy. */
function unreadable(error: unknown): Validation<never> {
  return { issues: [{ path: [], rule: "type", message: `cannot be read${reasonOf(error)}` }] };
}

/** Reads the body of a request as {@link validateNewPlant} does, except that it may not have a null. */
export function validateRequestBody(value: unknown): Validation<ValidNewPlant> {
  return validateFields<ValidNewPlant>(value, STRICT_NEW_PLANT_RULES, {});
}

/** Checks a plant of a response. Unknown fields are kept; a null for an optional field of the contract is absent. */
export function validatePlant(value: unknown): Validation<Plant> {
  return validateFields<Plant>(value, PLANT_RULES);
}

/**
 * {@link NewPlant} as a Standard Schema, for forms, routers and other libraries that accept one.
 *
 * @example
 * {@includeCode ../../examples/standard-schema-form.ts#validate}
 */
export const newPlantSchema: StandardSchemaV1<NewPlant, ValidNewPlant> =
  /* @__PURE__ */ standardSchema(validateNewPlant);

/**
 * {@link Plant} as a Standard Schema. Unknown fields are kept.
 *
 * @example
 * {@includeCode ../../docs/code/reference.ts#plantSchema}
 */
export const plantSchema: StandardSchemaV1<Plant> = /* @__PURE__ */ standardSchema(validatePlant);

/**
 * A {@link NewPlant} from texts, as a Standard Schema: for forms, CSV rows and command lines. Each digit of an id counts:
 * the output has a `number` where that is exact, else a `bigint`. `+5`, `1e2` and `1.0` are not ids. An empty or blank
 * text is a missing field.
 *
 * @example
 * {@includeCode ../../docs/code/reference.ts#newPlantTextSchema}
 */
export const newPlantTextSchema: StandardSchemaV1<NewPlantText, ValidNewPlant> = /* @__PURE__ */ standardSchema(
  (value) => {
    try {
      return validateNewPlant(hasFields(value) ? readTexts(value) : value);
    } catch (error) {
      return unreadable(error);
    }
  },
);

/** The fields that the texts stand for. What no text stands for is left as it is, for the rules to refuse. */
function readTexts(texts: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = Object.entries<Field>(NEW_PLANT_FIELDS).map(([name, field]) => [name, readText(texts[name], field)]);
  return Object.fromEntries(fields);
}

function readText(text: unknown, { type, isRequired }: Field): unknown {
  if (typeof text !== "string") return text;
  const trimmed = text.trim();
  if (type === "int64") return readInteger(trimmed);
  if (trimmed === "") return undefined; // an empty cell
  return isRequired ? text : trimmed;
}

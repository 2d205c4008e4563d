import { type Field, NEW_PLANT_FIELDS, NEW_PLANT_NAMES } from "../../../src/contract/plant.ts";

/** A JSON Schema, or a part of an OpenAPI document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A reference to a schema in the components of the document. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

type Properties = Readonly<Record<string, Schema>>;

export function object(required: Properties, optional: Properties = {}): Schema {
  const names = Object.keys(required);
  return { type: "object", ...(names.length > 0 && { required: names }), properties: { ...required, ...optional } };
}

/** An options object: one without additional properties. */
export function options(required: Properties, optional: Properties = {}): Schema {
  return { ...object(required, optional), additionalProperties: false };
}

export function list(items: Schema): Schema {
  return { type: "array", items };
}

export function string(description?: string): Schema {
  return { type: "string", description };
}

export function count(description: string, minimum = 0): Schema {
  return { type: "integer", minimum, description };
}

export function int32(): Schema {
  return { type: "integer", format: "int32" };
}

/** The schema of each type of field. */
const FIELD_SCHEMAS: Readonly<Record<Field["type"], Schema>> = {
  string: { type: "string" },
  int64: { type: "integer", format: "int64" },
};

/** The fields of a plant to create: those that are required, the others, or all. */
export function plantFields(which: "required" | "optional" | "all"): Properties {
  const names = NEW_PLANT_NAMES.filter(
    (name) => which === "all" || NEW_PLANT_FIELDS[name].isRequired === (which === "required"),
  );
  return Object.fromEntries(names.map((name) => [name, FIELD_SCHEMAS[NEW_PLANT_FIELDS[name].type]]));
}

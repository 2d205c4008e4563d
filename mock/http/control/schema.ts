/** A JSON Schema, or a part of an OpenAPI document. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

/** A reference to a schema in the components of the document. */
export function schemaRef(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

/** An object whose properties are all required, except those named. */
export function object(properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", ...(required.length === 0 ? {} : { required }), properties };
}

/** An options object: one without additional properties. */
export function options(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  const optional = Object.keys(properties).filter((name) => !required.includes(name));
  return { ...object(properties, optional), additionalProperties: false };
}

export function list(items: Schema): Schema {
  return { type: "array", items };
}

export function string(description?: string): Schema {
  return description === undefined ? { type: "string" } : { type: "string", description };
}

export function count(description: string, minimum = 0): Schema {
  return { type: "integer", minimum, description };
}

export function int32(): Schema {
  return { type: "integer", format: "int32" };
}

export function int64(): Schema {
  return { type: "integer", format: "int64" };
}

/** The fields of a plant to create. */
export const plantFields: Readonly<Record<string, Schema>> = { id: int64(), name: string(), tag: string() };

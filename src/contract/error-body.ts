import { type FieldRules, int32, required, string } from "../checks/rules.ts";
import { type StandardSchemaV1, standardSchema, type Validation, validateFields } from "../checks/schema.ts";

/**
 * The service's Error body.
 *
 * Source: contract, "Error".
 */
export interface ErrorBody {
  /** Numeric error value, an int32. The contract does not define the values. */
  error: number;
  /** Error message text. */
  message: string;
}

const ERROR_BODY: FieldRules = [
  { name: "error", rule: /* @__PURE__ */ required(int32) },
  { name: "message", rule: /* @__PURE__ */ required(string) },
];

/** Checks the service's Error body. Unknown fields are kept. */
export function validateErrorBody(value: unknown): Validation<ErrorBody> {
  return validateFields<ErrorBody>(value, ERROR_BODY);
}

/**
 * {@link ErrorBody} as a Standard Schema. Unknown fields are kept.
 *
 * @example
 * {@includeCode ../../docs/code/reference.ts#errorSchema}
 */
export const errorSchema: StandardSchemaV1<ErrorBody> = /* @__PURE__ */ standardSchema(validateErrorBody);

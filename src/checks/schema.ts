import { kindOfArgument } from "./describe.ts";
import { hasFields } from "./objects.ts";
import type { FieldRules, Rule } from "./rules.ts";

/** A problem with one field. */
export interface Issue {
  /** The path of the field, e.g. `["id"]`; empty for the value itself. */
  readonly path: readonly string[];
  /**
   * The kind of the broken rule, for words of your own: the field is absent, of another type, or out of its range; or, in a
   * run with a journal, another plant with this id was created.
   */
  readonly rule: "required" | "type" | "range" | "journal";
  /** The broken rule and the value, e.g. `must be a string, not 7`. */
  readonly message: string;
}

/** The result of a check: a valid value, or the issues of an invalid one. */
export type Validation<Value> =
  | {
      /** The valid value. */
      readonly value: Value;
      /** Always absent: the value is valid. */
      readonly issues?: undefined;
    }
  // No `value?: undefined`: libraries such as tRPC would infer an output that may be undefined.
  | {
      /** The problems, one per field. */
      readonly issues: readonly Issue[];
    };

/**
 * The part of Standard Schema v1 that the schemas of this package implement, so that no other package is needed.
 *
 * Source: https://standardschema.dev
 */
export interface StandardSchemaV1<Input, Output = Input> {
  /** The interface of a Standard Schema. */
  readonly "~standard": {
    /** The version of the Standard Schema interface. */
    readonly version: 1;
    /** The library that provides the schema. */
    readonly vendor: "plant-store-client";
    /** Checks a value. It is never asynchronous. */
    readonly validate: (value: unknown) => Validation<Output>;
    /** Types for the compiler; there is no such value at run time. */
    readonly types?:
      | {
          /** The type of a valid input. */
          readonly input: Input;
          /** The type of the output. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** Wraps a validator as a Standard Schema. */
export function standardSchema<Input, Output = Input>(
  validate: (value: unknown) => Validation<Output>,
): StandardSchemaV1<Input, Output> {
  return { "~standard": { version: 1, vendor: "plant-store-client", validate } };
}

/**
 * Validates the fields that have a rule. A null that its rule allows is an absent field.
 *
 * @param copy - A new object, which gets these fields and becomes the valid value. Each field is read once, so that the
 * checked value is the one used. Without it, the value itself is kept, with unknown fields; or a copy without nulls.
 */
export function validateFields<Output extends object>(
  value: unknown,
  rules: FieldRules,
  copy?: Partial<Output>,
): Validation<Output> {
  if (!hasFields(value)) {
    return { issues: [{ path: [], rule: "type", message: `must be an object, not ${kindOfArgument(value)}` }] };
  }
  let result: Record<string, unknown> = copy ?? value;
  let issues: Issue[] | undefined;
  for (const { name, rule } of rules) {
    const field = value[name];
    const message = rule(field);
    if (message !== undefined) {
      issues ??= [];
      issues.push({ path: [name], rule: kindOfIssue(field, rule), message });
    } else if (field === null) {
      if (result === value) result = { ...value };
      delete result[name];
    } else if (copy && field !== undefined) {
      result[name] = field;
    }
  }
  return issues ? { issues } : { value: result as Output };
}

/** Which kind of rule a value breaks. An integer is out of range if the field accepts others, such as 0. */
function kindOfIssue(value: unknown, rule: Rule): Issue["rule"] {
  if (value === undefined) return "required";
  const isInteger = typeof value === "bigint" || Number.isInteger(value);
  return isInteger && rule(0) === undefined ? "range" : "type";
}

/** Formats issues in one line: `id is required; tag must be a string, not 7`. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map(({ path, message }) => `${path.join(".") || "it"} ${message}`).join("; ");
}

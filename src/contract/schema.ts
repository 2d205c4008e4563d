import { describe } from "./describe.ts";
import type { Rule } from "./rules.ts";

/** What is wrong with one field. */
export interface Issue {
  /** The way to the field from the root of the value, e.g. `["id"]`; empty for the value itself. */
  readonly path: readonly string[];
  /** The rule that is broken, e.g. `must be a string`. */
  readonly message: string;
}

/** Either a value that keeps every rule, or what is wrong with it. */
export type Result<Value> =
  | {
      /** The value, which keeps every rule. */
      readonly value: Value;
      /** Absent: nothing is wrong. */
      readonly issues?: undefined;
    }
  | {
      /** What is wrong, one issue a field. */
      readonly issues: readonly Issue[];
    };

/**
 * The part of Standard Schema v1 that these schemas offer, written out so that no package is needed for its types.
 *
 * Source: https://standardschema.dev
 */
export interface StandardSchemaV1<Output> {
  /** What makes it a Standard Schema; libraries that take one look here. */
  readonly "~standard": {
    /** The version of the Standard Schema interface. */
    readonly version: 1;
    /** Who made the schema. */
    readonly vendor: "plant-store-client";
    /** Checks a value; it never throws and is never asynchronous. */
    readonly validate: (value: unknown) => Result<Output>;
    /** For the compiler alone: there is no such value. */
    readonly types?:
      | {
          /** What the schema takes. */
          readonly input: Output;
          /** What it gives. */
          readonly output: Output;
        }
      | undefined;
  };
}

/** Wraps a validator as a Standard Schema. */
export function standardSchema<Output>(validate: (value: unknown) => Result<Output>): StandardSchemaV1<Output> {
  return { "~standard": { version: 1, vendor: "plant-store-client", validate } };
}

/**
 * Reads the fields that have a rule, each once (so that what was checked is what is used), into a new object.
 *
 * Only own fields count: a polluted `Object.prototype` must not add one.
 */
export function readFields<Output extends object>(
  value: unknown,
  rules: { readonly [Name in keyof Output]-?: Rule },
): Result<Output> {
  if (!isRecord(value)) {
    return { issues: [{ path: [], message: `must be an object, not ${describe(value)}` }] };
  }
  const fields: Record<string, unknown> = {};
  const issues: Issue[] = [];
  for (const name in rules) {
    if (!Object.hasOwn(rules, name)) continue;
    let message: string | undefined;
    try {
      const field = Object.hasOwn(value, name) ? value[name] : undefined;
      message = rules[name](field);
      if (field !== undefined) fields[name] = field;
      else if (isInherited(name, value)) message = `${message ?? "must be given"} ${OWN}`;
    } catch (error) {
      message = `cannot be read${reasonOf(error)}`;
    }
    if (message !== undefined) issues.push({ path: [name], message });
  }
  return issues.length > 0 ? { issues } : { value: fields as Output };
}

const OWN = "as a property of the object itself";

/** Whether a class gives a value the field, say with an accessor. A field of `Object.prototype` is pollution. */
export function isInherited(name: string, value: object): boolean {
  return name in value && !Object.hasOwn(value, name) && !(name in Object.prototype);
}

/** Whether a value is an object with fields, and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  try {
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false; // A revoked proxy: nothing can look at it.
  }
}

/** Why something failed, after a colon; nothing if even that cannot be read. */
export function reasonOf(error: unknown): string {
  try {
    return `: ${error instanceof Error ? error.message : String(error)}`;
  } catch {
    return "";
  }
}

import { builtInName, isPromise } from "./describe.ts";

/** Whether a value is an object but not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether a value is an object without a class, of any realm. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Whether a value can have named fields: an object, but no array, promise, Map, Date, AbortSignal or other object of a
 * built-in class.
 */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !isPromise(value) && (builtInName(value) === "Object" || Object.keys(value).length > 0);
}

/** The most levels of a JSON value: `JSON.stringify` and loggers, which recurse, overflow the stack on thousands. */
export const MAX_LEVELS = 100;

/** Whether a JSON value has more than so many levels. A deeper one can overflow the stack of a reader that recurses. */
export function isDeep(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isDeep(item, levels - 1));
}

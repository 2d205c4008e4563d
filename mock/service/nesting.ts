/**
 * The maximum depth of a JSON value that the mock sends or shows: `JSON.stringify` is recursive, so a deeper value
 * could overflow the stack.
 */
export const MAX_NESTING = 500;

/** Whether a JSON value has more than {@link MAX_NESTING} levels. */
export function isTooDeep(value: unknown, levels = MAX_NESTING): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isTooDeep(inner, levels - 1));
}

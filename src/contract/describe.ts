/** Describes a value for a message, in bounded length: `1.5`, `"1"`, `an array`. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "function") return "a function";
  if (typeof value !== "object" || value === null) return String(value).slice(0, 40);
  try {
    return Array.isArray(value) ? "an array" : "an object";
  } catch {
    return "a revoked proxy";
  }
}

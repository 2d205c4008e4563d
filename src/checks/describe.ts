/** Describes a value for a message, in bounded length: `1.5`, `"1"`, `an array`. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return Object(value) === value ? kindOf(value) : String(value).slice(0, 40);
}

/** Names the kind of a value that may be secret: `a string`, `an array`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

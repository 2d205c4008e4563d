/** Describes a value for a message, in bounded length: `1.5`, `"1"`, `an array`. */
export function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return Object(value) === value ? kindOf(value) : String(value).slice(0, 40);
}

/** Names the kind of a value that may be secret: `a string`, `an array`, `a Map`, `an AbortSignal`. */
export function kindOf(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    if (Array.isArray(value)) return "an array";
    if (isPromise(value)) return "a promise";
    const name = builtInName(value);
    return name === "Object" ? "an object" : `${/^[AEIO]/.test(name) ? "an" : "a"} ${name}`;
  } catch {
    return "an object"; // A Proxy or a getter of others may throw.
  }
}

/** Names the kind of an argument, with what to do about a promise. */
export function kindOfArgument(value: unknown): string {
  return isPromise(value) ? "a promise: await it first" : kindOf(value);
}

/** Whether a value is a promise, of any class: libraries replace the global one. Data may have a field of this name, too. */
export function isPromise(value: unknown): value is Promise<unknown> {
  return typeof (value as Partial<Promise<unknown>> | null | undefined)?.then === "function";
}

/** The name of a built-in class, of any realm; "Object" for plain objects and most classes of an application. */
export function builtInName(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** Describes one character of a text; one that cannot be seen by its code point: `character 4 is U+200B`. */
export function describeCharacter(text: string, index: number): string {
  const character = String.fromCodePoint(text.codePointAt(index) as number);
  const isVisible = /^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character);
  const codePoint = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0");
  return `character ${index + 1} is ${isVisible ? JSON.stringify(character) : `U+${codePoint}`}`;
}

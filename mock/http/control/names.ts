import { randomBytes } from "node:crypto";

const names = new WeakMap<object, string>();

/** The name of a thing in the control API, the same each time. Nobody can guess it. */
export function nameOf(thing: object, kind: "session" | "gate" | "fault"): string {
  const known = names.get(thing);
  if (known !== undefined) return known;
  const name = `${kind}-${randomBytes(8).toString("hex")}`;
  names.set(thing, name);
  return name;
}

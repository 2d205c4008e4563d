import { randomBytes } from "node:crypto";

const names = new WeakMap<object, string>();

/** The name of an object in the control API: random, so that nobody can guess it, and stable. */
export function nameOf(object: object, kind: "session" | "gate" | "fault"): string {
  const known = names.get(object);
  if (known !== undefined) return known;
  const name = `${kind}-${randomBytes(8).toString("hex")}`;
  names.set(object, name);
  return name;
}

import { isPromise, kindOf } from "../checks/describe.ts";
import { headerName, headerValue } from "../checks/http/header-rules.ts";
import { isRecord } from "../checks/objects.ts";
import type { Rule } from "../checks/rules.ts";
import { throwIfProblem } from "../config-error.ts";

/** Not a Headers, a Map or a promise, whose entries are not properties. */
export const headersProblem: Rule = (value) =>
  isRecord(value) && !isPromise(value) && !(Symbol.iterator in value)
    ? undefined
    : `must be a plain object, such as Object.fromEntries(map); received ${kindOf(value)}`;

/** Checks headers and lower-cases their names, so that those of a call override the client's. */
export function readHeaders(headers: Record<string, string | undefined> = {}): Record<string, string> {
  const read: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const key = name.toLowerCase();
    throwIfProblem(`headers.${name}`, headerName(name) ?? reservedName(key) ?? headerValue(value));
    read[key] = value;
  }
  return read;
}

/** Why an application may not set a header, or `undefined` if it may. */
function reservedName(name: string): string | undefined {
  if (name === "authorization") return "would replace the bearer token: use the token option";
  if (name === "content-type") return "is always application/json: leave it out";
  const isFraming = /^(?:content-length|transfer-encoding|connection|keep-alive|expect|upgrade)$/.test(name);
  return isFraming ? "is set by the transport that sends the request: leave it out" : undefined;
}

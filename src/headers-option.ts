import { configError, throwIfProblem } from "./check-options.ts";
import { kindOf } from "./checks/describe.ts";
import { headerName, headerValue } from "./checks/header-rules.ts";
import { isRecord, reasonOf } from "./checks/schema.ts";

/** Checks headers and lower-cases their names, so that those of a call override the client's. */
export function readHeaders(headers: Record<string, string> = {}): Record<string, string> {
  const read: Record<string, string> = {};
  let entries: [name: string, value: string][] | undefined;
  try {
    entries = isPlain(headers) ? Object.entries(headers) : undefined;
  } catch (error) {
    throw configError("headers", `cannot be read${reasonOf(error)}`);
  }
  if (!entries)
    throw configError(
      "headers",
      `must be a plain object, such as Object.fromEntries(map); received ${kindOf(headers)}`,
    );
  for (const [name, value] of entries) {
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

/** Whether a value is a plain object, of any realm. A Headers or a Map is not: its entries are not properties. */
function isPlain(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

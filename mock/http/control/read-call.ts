import { decodeExactJson } from "../exact-json.ts";
import { ControlError } from "./control-error.ts";

/** The name of the session that a call is about. */
export function sessionName(query: URLSearchParams): string {
  return query.get("session") ?? "root";
}

/** @throws {@link ControlError} with status 400. */
export function readCount(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new ControlError(400, `${name}: must be an integer from 0; received ${JSON.stringify(text)}`);
}

/** @throws {@link ControlError} with status 400. */
export function readId(text: string): bigint {
  if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
  throw new ControlError(400, `id: must be an int64 in decimal digits; received ${JSON.stringify(text)}`);
}

/** @throws {@link ControlError} with status 400. */
export function readJson(body: string, decode: (text: string) => unknown): unknown {
  try {
    return decode(body);
  } catch {
    throw new ControlError(400, "body: must be JSON; its syntax is wrong");
  }
}

/** @throws {@link ControlError} with status 400. */
export function readObject<Shape>(body: string): Shape {
  const value = readJson(body, decodeExactJson);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Shape;
  throw new ControlError(400, "body: must be a JSON object");
}

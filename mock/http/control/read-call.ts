import { describe } from "../../../src/checks/describe.ts";
import { isRecord } from "../../../src/checks/objects.ts";
import { unknownName } from "../../../src/checks/read-options.ts";
import { decodeIfJson } from "../exact-json.ts";
import { ControlError, type ControlRoute } from "./control-route.ts";

// Each function throws a ControlError with status 400 if what it reads is invalid.

const MAX_COUNT = 999_999_999;

/** Reads an optional count from the query. */
export function readCount(query: URLSearchParams, name: string, maximum = MAX_COUNT): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text) && Number(text) <= maximum) return Number(text);
  throw new ControlError(400, `${name}: must be an integer from 0 to ${maximum}; received ${JSON.stringify(text)}`);
}

/** The query parameters that {@link readPage} reads. */
export const PAGE = ["after", "limit", "last"] as const;

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;

/**
 * Reads which part of a list a call asks for.
 *
 * @param size - The length of the whole list.
 */
export function readPage(query: URLSearchParams, size: number): { readonly after: number; readonly limit: number } {
  const last = readCount(query, "last", MAX_LIMIT);
  const after = readCount(query, "after");
  const limit = readCount(query, "limit", MAX_LIMIT);
  if (last === undefined) return { after: after ?? 0, limit: limit ?? DEFAULT_LIMIT };
  if (after === undefined && limit === undefined) return { after: Math.max(0, size - last), limit: last };
  throw new ControlError(400, "last: cannot be combined with `after` or `limit`; use either `last`, or the other two");
}

/** Reads an id from a path, without rounding it. */
export function readId(text: string): bigint {
  if (/^-?\d{1,19}$/.test(text)) return BigInt(text);
  throw new ControlError(400, `id: must be an int64 in decimal digits; received ${JSON.stringify(text)}`);
}

/** Reads a body; that of a call without one may only be empty, or `{}`. */
export function readBody({ body = NO_BODY }: ControlRoute, text: string): Readonly<Record<string, unknown>> {
  if (text === "" && body.isOptional) return {};
  const value = decodeIfJson(text);
  if (value === undefined) throw new ControlError(400, "body: must be JSON; its syntax is invalid");
  if (!isRecord(value)) throw new ControlError(400, `body: must be a JSON object, not ${describe(value)}`);
  if (body.keys !== undefined) checkNames(Object.keys(value), body.keys, "key");
  return value;
}

const NO_BODY: NonNullable<ControlRoute["body"]> = { example: "", keys: [], isOptional: true };

/** Rejects unknown and repeated query parameters. */
export function checkQuery(query: URLSearchParams, known: readonly string[] = []): void {
  const names = [...query.keys()];
  checkNames(names, ["session", ...known], "parameter");
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new ControlError(400, `${twice}: must be given only once`);
}

function checkNames(names: readonly string[], known: readonly string[], noun: string): void {
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new ControlError(400, unknownName(unknown, known, noun));
}

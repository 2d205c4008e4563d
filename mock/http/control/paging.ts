import { ControlError } from "./control-error.ts";
import type { Parameter } from "./control-route.ts";
import { COUNT, readCount } from "./read-call.ts";

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 100;

export const PAGE: Readonly<Record<"after" | "limit" | "last", Parameter>> = {
  after: {
    description: "How many of the oldest entries to skip.",
    schema: { ...COUNT, default: 0 },
  },
  limit: {
    description: "How many entries to return at most.",
    schema: { ...COUNT, maximum: MAX_LIMIT, default: DEFAULT_LIMIT },
  },
  last: {
    description: "How many of the newest entries to return. Cannot be combined with `after` or `limit`.",
    schema: { ...COUNT, maximum: MAX_LIMIT },
  },
};

/**
 * Reads which part of a list a call asks for.
 *
 * @param size - The length of the whole list.
 * @throws {@link ControlError} with status 400.
 */
export function readPage(query: URLSearchParams, size: number): { readonly after: number; readonly limit: number } {
  const last = readCount(query, "last", MAX_LIMIT);
  const after = readCount(query, "after");
  const limit = readCount(query, "limit", MAX_LIMIT);
  if (last === undefined) return { after: after ?? 0, limit: limit ?? DEFAULT_LIMIT };
  if (after === undefined && limit === undefined) return { after: Math.max(0, size - last), limit: last };
  throw new ControlError(400, "last: cannot be combined with `after` or `limit`; use either `last`, or the other two");
}

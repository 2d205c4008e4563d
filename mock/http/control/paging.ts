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
  const last = readLimit(query, "last");
  const after = readCount(query, "after");
  const limit = readLimit(query, "limit");
  if (last === undefined) return { after: after ?? 0, limit: limit ?? DEFAULT_LIMIT };
  if (after === undefined && limit === undefined) return { after: Math.max(0, size - last), limit: last };
  throw new ControlError(400, "last: cannot be combined with `after` or `limit`; use either `last`, or the other two");
}

/**
 * The part of a list that a call asks for, and the length of the whole list.
 *
 * @throws {@link ControlError} with status 400.
 */
export function pageOf<Item>(query: URLSearchParams, items: Iterable<Item>): { size: number; page: Item[] } {
  const all = [...items];
  const { after, limit } = readPage(query, all.length);
  return { size: all.length, page: all.slice(after, after + limit) };
}

function readLimit(query: URLSearchParams, name: string): number | undefined {
  const count = readCount(query, name);
  if (count === undefined || count <= MAX_LIMIT) return count;
  throw new ControlError(400, `${name}: must be at most ${MAX_LIMIT}, not ${count}; ask for the rest with \`after\``);
}

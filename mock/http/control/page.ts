import { ControlError } from "./control-error.ts";
import { readCount } from "./read-call.ts";
import type { Parameter } from "./route.ts";

/** The parameters of every list. */
export const PAGE: Readonly<Record<"after" | "limit" | "last", Parameter>> = {
  after: { description: "How many of the oldest to skip.", schema: { type: "integer", minimum: 0, default: 0 } },
  limit: {
    description: "How many to return at most.",
    schema: { type: "integer", minimum: 0, maximum: 1000, default: 100 },
  },
  last: {
    description: "How many of the newest to return; not with `after`.",
    schema: { type: "integer", minimum: 0, maximum: 1000 },
  },
};

/**
 * The part of a list that a call asks for.
 *
 * @param size - The length of the whole list.
 */
export function readPage(query: URLSearchParams, size: number): { readonly after: number; readonly limit: number } {
  const last = readLimit(query, "last");
  const after = readCount(query, "after");
  if (last === undefined) return { after: after ?? 0, limit: readLimit(query, "limit") ?? 100 };
  if (after !== undefined) throw new ControlError(400, "last: cannot be combined with `after`; use `limit`");
  return { after: Math.max(0, size - last), limit: last };
}

function readLimit(query: URLSearchParams, name: string): number | undefined {
  const count = readCount(query, name);
  if (count === undefined || count <= MAX_LIMIT) return count;
  throw new ControlError(400, `${name}: must be at most ${MAX_LIMIT}; ask for the rest with \`after\``);
}

const MAX_LIMIT = 1000;

import { readCount } from "./read-call.ts";
import type { Parameter } from "./route.ts";

/** The parameter of every list. */
export const LAST: { readonly last: Parameter } = {
  last: { description: "Gives only so many, the newest.", schema: { type: "integer", minimum: 0 } },
};

/** The newest of a list, as many as the query asks for. */
export function newest<Item>(items: Item[], query: URLSearchParams): Item[] {
  const last = readCount(query, "last") ?? items.length;
  return items.slice(Math.max(0, items.length - last));
}

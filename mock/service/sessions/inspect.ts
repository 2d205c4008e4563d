/** The method that `console.log` calls in Node, Bun and Deno. */
export const INSPECT: unique symbol = Symbol.for("nodejs.util.inspect.custom") as never;

/** The newest items of a list, preceded by a line that counts the older ones. */
export function newest<Item>(size: number, page: (after: number, limit: number) => Item[]): (Item | string)[] {
  const hidden = Math.max(0, size - SHOWN);
  const items = page(hidden, SHOWN);
  return hidden === 0 ? items : [`… ${hidden} older`, ...items];
}

const SHOWN = 100;

/** A replacer for JSON.stringify, which does not support bigint. */
export const bigintAsText = (_key: string, value: unknown): unknown => (typeof value === "bigint" ? `${value}` : value);

/** Reads the text of one line; `undefined` for a line that holds no plant, such as a header. */
export type RowReader = (text: string) => unknown;

/** One line that cannot be read. The rest of the list can. */
export class BadLineError extends Error {
  override name = "BadLineError";
}

/**
 * The id that digits stand for. A bigint, because a number rounds beyond 2^53: 9007199254740993 would become
 * 9007199254740992, the id of another plant. Any other text is left as it is, for the schema to refuse.
 */
export function exactId(text: string): bigint | string {
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : text;
}

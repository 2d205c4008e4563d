/** A row of the list: a line of the file, or an element of a JSON array. */
export interface Row {
  /** 1 for the first. No two rows have the same. */
  readonly number: number;
  readonly text: string;
}

/** The length of the longest row that is read, in UTF-16 code units: a list of any length takes little memory. */
export const MAX_LENGTH = 2 ** 25;

export const LINE_END: RegExp = /\r\n|\n|\r/;

/** Reads the text of one row; `undefined` for a row that holds no plant, such as a header. */
export type RowReader = (text: string) => unknown;

/** One row that cannot be read. The rest of the list can. */
export class BadRowError extends Error {
  override name = "BadRowError";
}

/**
 * The id that digits stand for. A bigint, because a number rounds beyond 2^53: 9007199254740993 would become
 * 9007199254740992, the id of another plant. Any other text is left as it is, for the schema to refuse.
 */
export function exactId(text: string): bigint | string {
  return /^-?\d{1,19}$/.test(text) ? BigInt(text) : text;
}

/** One line of at most 100 characters, in which nothing controls the terminal. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

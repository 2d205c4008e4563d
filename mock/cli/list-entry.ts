import { narrowInt64 } from "../../src/contract/int64.ts";

/** One entry of a list: its text, and its value or problem. */
export interface ListEntry {
  /** Its line, and its index if the list is an array: an array may be one long line. */
  readonly place: string;
  readonly text: string;
  readonly value?: unknown;
  readonly problem?: string;
}

export const LINE_END: RegExp = /\r\n|\n|\r/g;

/** The lines of a text that are not blank. */
export function* linesOf(text: string): Generator<ListEntry> {
  for (const [index, line] of text.split(LINE_END).entries()) {
    if (line.trim() !== "") yield { place: `line ${index + 1}`, text: line };
  }
}

/** The exact id for decimal digits. Any other text is returned unchanged, and later rejected as not an integer. */
export function exactId(text: string): number | bigint | string {
  return /^-?\d{1,19}$/.test(text) ? narrowInt64(BigInt(text)) : text;
}

/** One line of at most 100 characters, without control characters. */
export function shorten(text: string): string {
  const line = text
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

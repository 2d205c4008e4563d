import { closeSync, createReadStream, openSync, readSync } from "node:fs";

/** A line that is longer holds no plant that a service would take. */
export const MAX_LINE_LENGTH = 1_000_000;

/** Behind each end of a line: LF, CR LF or CR. At the end of the text, a CR may be half of CR LF. */
const LINE_END = /(?<=\n|\r(?!\n|$))/;

/**
 * The lines of a text file in UTF-8, each with its end. What a line has beyond {@link MAX_LINE_LENGTH} is left out, so that a
 * file without line ends takes little memory.
 */
export async function* readLines(file: string): AsyncGenerator<string> {
  let line = "";
  /** A CR at the end of the last piece, which may be half of CR LF. */
  let half = "";
  let isStart = true;
  for await (const piece of createReadStream(file, "utf8")) {
    const text: string = isStart ? piece.replace(/^\uFEFF/, "") : piece;
    isStart = false;
    const parts = (half + text).split(LINE_END);
    const last = parts.pop() ?? "";
    for (const part of parts) {
      yield line + part;
      line = "";
    }
    half = last.endsWith("\r") ? "\r" : "";
    line += last.slice(0, last.length - half.length);
    // One character more shows that the line is longer.
    if (line.length > MAX_LINE_LENGTH) line = line.slice(0, MAX_LINE_LENGTH + 1);
  }
  line += half;
  if (line !== "") yield line;
}

/** @throws Error if the beginning of a file shows that it is not UTF-8: UTF-16 and UTF-32 have NUL bytes there. */
export function checkEncoding(file: string): void {
  const beginning = Buffer.alloc(1024);
  const descriptor = openSync(file, "r");
  const length = readSync(descriptor, beginning);
  closeSync(descriptor);
  const bytes = beginning.subarray(0, length);
  const hasUtf16Mark = /^(?:fffe|feff)/.test(bytes.toString("hex", 0, 2));
  if (!hasUtf16Mark && !bytes.includes(0)) return;
  throw new Error(`${file} is UTF-16, or not a text: save it as UTF-8 ("CSV UTF-8" in a spreadsheet)`);
}

/** One line of at most 100 characters, in which nothing controls the terminal. */
export function shorten(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

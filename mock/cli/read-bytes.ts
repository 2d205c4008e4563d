import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The longest file that is read, in bytes. A text of more than 536,870,888 characters does not fit into a string. */
const MAX_BYTES = 500_000_000;
const SPARE_BYTES = 65_536;

/** How UTF-16 and UTF-32 begin if they are decoded as UTF-8: with a byte order mark, or with an ASCII character. */
export const UTF16_START: RegExp = /^(\uFFFD{2}|.?\0)/s;
export const IS_UTF16 = "the file is UTF-16 or UTF-32; save it as UTF-8";

/**
 * Reads a whole file.
 *
 * @throws Error if it cannot be read, or is longer than `maxBytes`.
 */
export function readBytes(path: string, maxBytes: number = MAX_BYTES): Buffer {
  const file = openSync(path, "r");
  try {
    // A device or pipe has no size, and may never end.
    const { size: expected } = fstatSync(file);
    let bytes = Buffer.allocUnsafe(Math.min(expected, maxBytes) + SPARE_BYTES);
    let length = 0;
    while (Math.max(expected, length) <= maxBytes) {
      if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length);
      const count = readSync(file, bytes, { offset: length });
      if (count === 0) return bytes.subarray(0, length);
      length += count;
    }
    throw new Error(`it is longer than ${maxBytes} bytes`);
  } finally {
    closeSync(file);
  }
}

import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The longest file that is read, in bytes. A text of more than 536,870,888 characters does not fit into a string. */
const MAX_BYTES = 500_000_000;
const SPARE_BYTES = 65_536;

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

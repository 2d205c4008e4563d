import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The longest file that is read, in bytes. A text of more than 536,870,888 characters does not fit into a string. */
const MAX_BYTES = 500_000_000;
const CHUNK_BYTES = 1_048_576;

/**
 * Reads a whole file.
 *
 * @throws Error if it cannot be read, or is too long.
 */
export function readBytes(path: string): Buffer {
  const file = openSync(path, "r");
  try {
    // A device or pipe has no size, and may never end.
    let size = 0;
    const chunks: Buffer[] = [];
    while (Math.max(size, fstatSync(file).size) <= MAX_BYTES) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(file, chunk);
      if (count === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, count));
      size += count;
    }
    throw new Error(`it is longer than ${MAX_BYTES} bytes`);
  } finally {
    closeSync(file);
  }
}

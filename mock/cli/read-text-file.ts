import { isUtf8 } from "node:buffer";
import { closeSync, openSync, readSync } from "node:fs";
import { UsageError } from "./settings.ts";

/**
 * Reads a text file. Some editors begin one with a byte order mark.
 *
 * @param source - The setting that names the file, for messages, e.g. `--initial-plants plants.json`.
 * @throws {@link UsageError} that names the file.
 */
export function readTextFile(path: string, source: string): string {
  const bytes = orUsageError(`${source}: cannot be read`, () => readBytes(path));
  if (!isUtf8(bytes)) throw new UsageError(`${source}: contains bytes that are not UTF-8; save it as UTF-8`);
  return bytes.toString().replace(/^\uFEFF/, "");
}

/** Reads a file or a pipe. Not `readFileSync`, which never returns from /dev/zero. */
function readBytes(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const chunks: Buffer[] = [];
    for (let size = 0; size <= MAX_BYTES; ) {
      const chunk = Buffer.allocUnsafe(2 ** 16);
      const length = readSync(descriptor, chunk);
      if (length === 0) return Buffer.concat(chunks);
      chunks.push(chunk.subarray(0, length));
      size += length;
    }
    throw new Error(`it has more than ${MAX_BYTES / 2 ** 20} MiB`);
  } finally {
    closeSync(descriptor);
  }
}

const MAX_BYTES = 256 * 2 ** 20;

/** Runs a function, whose errors become a {@link UsageError}. Their messages may quote the file. */
export function orUsageError<Value>(problem: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    const { message, syscall } = error as NodeJS.ErrnoException;
    // Node ends with the path, which the problem has already: `ENOENT: no such file or directory, open 'x'`.
    const reason = syscall === undefined ? message : message.split(`, ${syscall}`, 1)[0];
    throw new UsageError(`${problem}: ${oneLine(reason as string)}`);
  }
}

/** At most 100 characters of a text on one line, without control characters. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}

import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
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

/** Reads a file or a pipe. A device such as /dev/zero may have no end. */
function readBytes(path: string): Buffer {
  const stats = statSync(path);
  if (stats.isCharacterDevice()) throw new Error("it is a device, not a file");
  if (stats.size > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES / 2 ** 20} MiB`);
  return readFileSync(path);
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

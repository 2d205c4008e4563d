import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { UsageError } from "./settings.ts";

/**
 * Reads a text file. Some editors begin one with a byte order mark.
 *
 * @param source - The setting that names the file, for messages, e.g. `--seed plants.json`.
 * @throws {@link UsageError} that names the file.
 */
export function readTextFile(path: string, source: string): string {
  const bytes = orUsageError(`${source}: cannot be read`, () => readFileSync(path));
  if (!isUtf8(bytes)) throw new UsageError(`${source}: contains bytes that are not UTF-8; save it as UTF-8`);
  return orUsageError(`${source}: cannot be read`, () => bytes.toString().replace(/^\uFEFF/, ""));
}

/** Runs a function, whose errors become a {@link UsageError}. Their messages may quote the file. */
export function orUsageError<Value>(problem: string, read: () => Value, fix = ""): Value {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${problem}: ${oneLine((error as Error).message)}${fix}`);
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

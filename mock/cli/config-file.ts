import { readFileSync } from "node:fs";
import { describe } from "../../src/contract/describe.ts";
import { isRecord } from "../../src/contract/schema.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads a configuration file: one JSON object.
 *
 * @throws {@link UsageError} that names the file.
 */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    value = decodeExactJson(readFileSync(path, "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    throw new UsageError(`${path}: cannot be read as JSON: ${(error as Error).message}`);
  }
  if (!isRecord(value)) {
    throw new UsageError(`${path}: must be a JSON object, such as {"port":4010}, not ${describe(value)}`);
  }
  if (value.config !== undefined) {
    throw new UsageError(`${path}: config: a configuration file cannot name another; merge the two files`);
  }
  // Only the flag --token and its variable use this name.
  if (value["auth.tokens"] !== undefined) {
    throw new UsageError(`${path}: auth.tokens: must be written as {"auth":{"tokens":["…"]}}`);
  }
  return value;
}

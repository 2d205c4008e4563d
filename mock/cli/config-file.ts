import { readFileSync } from "node:fs";
import { describe } from "../../src/contract/describe.ts";
import { boolean, oneOf, optional, type Rule } from "../../src/contract/rules.ts";
import { isRecord } from "../../src/contract/schema.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { LOG_STYLES } from "./settings.ts";
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
  for (const [name, rule] of Object.entries(RULES)) {
    const problem = optional(rule)(value[name]);
    if (problem !== undefined) throw new UsageError(`${path}: ${name}: ${problem}`);
  }
  return value;
}

/** The rules of the options of the command itself; the mock checks the others. */
const RULES: Readonly<Record<string, Rule>> = {
  config: () => "a configuration file cannot name another; merge the two files",
  log: oneOf(...LOG_STYLES),
  exitWithParent: boolean,
  // Only the flag --token and its variable use this name.
  "auth.tokens": () => 'must be written as {"auth":{"tokens":["…"]}}',
};

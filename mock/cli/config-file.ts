import { readFileSync } from "node:fs";
import { describe } from "../../src/contract/describe.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { settings } from "./settings.ts";
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
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${path}: must be a JSON object, such as {"port":4010}, not ${describe(value)}`);
  }
  // Only the flag --token and its variable use this name; a file has { auth: { tokens } }.
  if (Object.hasOwn(value, "auth.tokens")) throw new UsageError(`${path}: unknown option "auth.tokens"`);
  checkOwnKeys(value as Record<string, unknown>, path);
  return value as Record<string, unknown>;
}

/** Checks the options of the command itself; the mock checks the others. */
function checkOwnKeys({ log, exitWithParent, config }: Record<string, unknown>, path: string): void {
  if (config !== undefined)
    throw new UsageError(`${path}: config: a configuration file cannot name another; merge the two files`);
  const result = settings.log?.read?.(log as string);
  if (log !== undefined && result && "rule" in result) {
    throw new UsageError(`${path}: log: ${result.rule}; received ${JSON.stringify(log)}`);
  }
  if (exitWithParent === undefined || typeof exitWithParent === "boolean") return;
  throw new UsageError(`${path}: exitWithParent: must be true or false; received ${JSON.stringify(exitWithParent)}`);
}

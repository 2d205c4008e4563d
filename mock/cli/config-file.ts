import { describe } from "../../src/checks/describe.ts";
import { unknownName } from "../../src/checks/read-options.ts";
import { isRecord } from "../../src/checks/schema.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { optionNames } from "../http/http-options.ts";
import { parseJson, readTextFile } from "./read-text-file.ts";
import { settings, UsageError } from "./settings.ts";

/**
 * Reads a configuration file: one JSON object.
 *
 * @throws {@link UsageError} that names the file.
 */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  const text = readTextFile(path, path);
  const value = parseJson(text, `${path}: must be JSON`, decodeExactJson);
  if (!isRecord(value)) {
    throw new UsageError(`${path}: must be a JSON object, such as {"port":4010}, not ${describe(value)}`);
  }
  // The mock itself says what to set in place of baseUrl.
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key) && key !== "baseUrl");
  if (unknown !== undefined) throw new UsageError(`${path}: ${unknownName(unknown, KEYS, "key")}`);
  return value;
}

/** The options of the mock, and those of the command itself, which the mock does not check. */
const KEYS = [
  ...new Set([...optionNames, ...Object.values(settings).flatMap(({ option, rule }) => (rule ? option : []))]),
];

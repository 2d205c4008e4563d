import { describe } from "../../src/checks/describe.ts";
import { isRecord } from "../../src/checks/schema.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { optionNames } from "../http/http-options.ts";
import { explainUnknownName } from "../service/did-you-mean.ts";
import { oneLine, orUsageError, readTextFile } from "./read-text-file.ts";
import { settings, UsageError } from "./settings.ts";

/**
 * Reads a configuration file: one JSON object.
 *
 * @throws {@link UsageError} that names the file.
 */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  const text = readTextFile(path, path);
  const fix = hasInvalidEscape(text) ? `; ${FIX}` : "";
  const value = orUsageError(`${path}: must be JSON`, () => decodeExactJson(text), fix);
  if (!isRecord(value)) {
    throw new UsageError(`${path}: must be a JSON object, such as {"port":4010}, not ${describe(value)}`);
  }
  if (value.config !== undefined) {
    throw new UsageError(`${path}: config: a configuration file cannot name another; merge the two files`);
  }
  if (typeof value.seed === "string" && /\p{Cc}/u.test(value.seed)) {
    const given = oneLine(JSON.stringify(value.seed));
    throw new UsageError(`${path}: seed: ${given} contains a control character, such as \\t for a tab; ${FIX}`);
  }
  // The mock itself says what to set in place of baseUrl.
  const unknown = Object.keys(value).find((key) => !KEYS.includes(key) && key !== "baseUrl");
  if (unknown !== undefined) throw new UsageError(`${path}: ${explainUnknownName(unknown, KEYS, "key")}`);
  return value;
}

/** The options of the mock, and those of the command itself, which the mock does not check. */
const KEYS = [
  ...new Set([...optionNames, ...Object.values(settings).flatMap(({ option, rule }) => (rule ? option : []))]),
];

/** For a path as Windows writes it, in which JSON finds escapes. */
const FIX = 'write each backslash of a path twice ("C:\\\\plants.ndjson"), or as a slash';

function hasInvalidEscape(text: string): boolean {
  return /\\(?!["/bfnrt]|u[\da-f]{4})/i.test(text.replaceAll("\\\\", ""));
}

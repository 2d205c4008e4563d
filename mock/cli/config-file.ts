import { isUtf8 } from "node:buffer";
import { describe } from "../../src/checks/describe.ts";
import { isRecord } from "../../src/checks/schema.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { optionNames } from "../http/http-options.ts";
import { explainUnknownName } from "../service/did-you-mean.ts";
import { shorten } from "./list-entry.ts";
import { IS_UTF16, readBytes, UTF16_START } from "./read-bytes.ts";
import { settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/**
 * Reads a configuration file: one JSON object.
 *
 * @throws {@link UsageError} that names the file.
 */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  const bytes = attempt(`${path}: cannot be read`, () => readBytes(path));
  if (UTF16_START.test(bytes.toString("utf8", 0, 4))) throw new UsageError(`${path}: ${IS_UTF16}`);
  if (!isUtf8(bytes)) throw new UsageError(`${path}: contains bytes that are not UTF-8; save it as UTF-8`);
  // Some editors begin a file with a byte order mark.
  const text = bytes.toString().replace(/^\uFEFF/, "");
  const value = attempt(`${path}: must be JSON`, () => decodeExactJson(text), hasInvalidEscape(text) ? `; ${FIX}` : "");
  if (!isRecord(value)) {
    throw new UsageError(`${path}: must be a JSON object, such as {"port":4010}, not ${describe(value)}`);
  }
  if (value.config !== undefined) {
    throw new UsageError(`${path}: config: a configuration file cannot name another; merge the two files`);
  }
  // Only the flag --token and its variable use these names.
  const name = ["auth.tokens", "token"].find((key) => value[key] !== undefined);
  if (name !== undefined) throw new UsageError(`${path}: ${name}: must be written as {"auth":{"tokens":["…"]}}`);
  if (typeof value.seed === "string" && /\p{Cc}/u.test(value.seed)) {
    const given = shorten(JSON.stringify(value.seed));
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
const FIX = 'write each backslash of a path twice ("C:\\\\plants.csv"), or as a slash';

function hasInvalidEscape(text: string): boolean {
  return /\\(?!["/bfnrt]|u[\da-f]{4})/i.test(text.replaceAll("\\\\", ""));
}

function attempt<Value>(problem: string, read: () => Value, fix = ""): Value {
  try {
    return read();
  } catch (error) {
    // The message about invalid JSON quotes it, with its control characters.
    throw new UsageError(`${problem}: ${shorten((error as Error).message)}${fix}`);
  }
}

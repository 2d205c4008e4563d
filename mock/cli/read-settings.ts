import { dirname, resolve } from "node:path";
import { describe } from "../../src/checks/describe.ts";
import { isRecord } from "../../src/checks/objects.ts";
import { unknownName } from "../../src/checks/read-options.ts";
import { checkedLater, optional } from "../../src/checks/rules.ts";
import type { NewPlant } from "../../src/contract/plant.ts";
import { decodeExactJson } from "../http/exact-json.ts";
import { optionNames, type StartMockPlantStoreOptions } from "../http/http-options.ts";
import type { Flags } from "./flags.ts";
import { readPlantsFile } from "./initial-plants.ts";
import { orUsageError, readTextFile } from "./read-text-file.ts";
import { type LogStyle, type Setting, settings, UsageError } from "./settings.ts";

/** The settings of the command. Flags override the environment, which overrides the configuration file. */
export interface CommandSettings {
  readonly options: StartMockPlantStoreOptions;
  readonly log: LogStyle | undefined;
  readonly exitWithParent: boolean;
  /** Replaces the option at the beginning of a message with the flag, variable or file that set it. */
  readonly withOrigin: (message: string) => string;
}

/** A value and its source, e.g. `--port`. */
interface Found {
  readonly value: unknown;
  readonly source: string;
}

/**
 * Reads flags, environment and configuration file.
 *
 * @throws {@link UsageError} that names the flag, variable or key, the rule and the fix.
 */
export function readSettings(flags: Flags, environment: NodeJS.ProcessEnv): CommandSettings {
  const found = new Map<string, Found>();
  for (const [flag, setting] of Object.entries(settings)) {
    const given = fromFlag(flag, setting, flags) ?? fromVariable(setting, environment);
    if (given !== undefined) found.set(setting.option, given);
  }
  const path = found.get("config")?.value as string | undefined;
  if (path === "") throw new UsageError('--config: must be the name of a file, not ""');
  const file = path === undefined ? {} : readConfigFile(path);
  const values: Record<string, unknown> = { port: 4010, ...file };
  // The file may have a text as the flag takes it, e.g. `"rateLimit": "50/s"`.
  for (const { option, read } of Object.values(settings)) {
    if (read && typeof values[option] === "string") values[option] = read(values[option]);
  }
  for (const [option, { value }] of found) values[option] = value;
  for (const { option, rule = checkedLater } of Object.values(settings)) {
    const problem = optional(rule)(values[option]);
    if (problem !== undefined) throw new UsageError(withOrigin(`${option}: ${problem}`, found, path));
  }
  const { config, log, exitWithParent, initialPlants, auth, "auth.tokens": tokens, ...options } = values;
  return {
    options: {
      ...options,
      auth: withTokens(auth, tokens as string[] | undefined),
      initialPlants: readPlants(initialPlants, found.get("initialPlants"), path) as NewPlant[],
    },
    log: log as LogStyle | undefined,
    exitWithParent: exitWithParent === true,
    withOrigin: (message) => withOrigin(message, found, path),
  };
}

/**
 * Reads a configuration file: one JSON object.
 *
 * @throws {@link UsageError} that names the file.
 */
export function readConfigFile(path: string): Readonly<Record<string, unknown>> {
  const text = readTextFile(path, path);
  const value = orUsageError(`${path}: must be JSON`, () => decodeExactJson(text));
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

/** The plants of the files, in their order. In a configuration file, paths are relative to its folder. */
function readPlants(plants: unknown, given: Found | undefined, config = "."): unknown {
  if (given !== undefined) return (plants as string[]).flatMap((path) => readPlantsFile(path, given.source));
  const isList = Array.isArray(plants) || typeof plants === "string";
  // Anything else is a plant, or for the mock to reject.
  const read = (entry: unknown) =>
    typeof entry === "string" ? readPlantsFile(resolve(dirname(config), entry), `${config}: initialPlants`) : [entry];
  return isList ? [plants].flat().flatMap(read) : plants;
}

/**
 * The `auth` of a file, with the tokens of a flag or variable. They override `true` and `false` too; an invalid value
 * is passed on, for the mock to reject.
 */
function withTokens(auth: unknown, tokens: readonly string[] | undefined) {
  const isReplaced =
    tokens !== undefined && (auth === undefined || typeof auth === "boolean" || typeof auth === "object");
  return (isReplaced ? { ...(auth as object), tokens } : auth) as StartMockPlantStoreOptions["auth"];
}

function fromFlag(flag: string, setting: Setting, flags: Flags): Found | undefined {
  const given = flags[flag];
  return given === undefined ? undefined : { value: read(given, setting), source: `--${flag}` };
}

function fromVariable(setting: Setting, environment: NodeJS.ProcessEnv): Found | undefined {
  const { option, variable: source = "" } = setting;
  const text = environment[source] ?? "";
  // Kubernetes sets …_PORT to the address of a service with that name.
  if (text === "" || (option === "port" && text.startsWith("tcp://"))) return undefined;
  return { value: read(setting.isList ? text.split(",") : text, setting), source };
}

/** Reads the text of a setting. A list consists of texts; `true` is a switch on the command line. */
function read(given: string | boolean | readonly string[], setting: Setting): unknown {
  return typeof given === "string" ? (setting.read?.(given) ?? given) : given;
}

function withOrigin(message: string, found: ReadonlyMap<string, Found>, file: string | undefined): string {
  for (const [option, { source }] of found) {
    const rest = message.startsWith(option) ? message.slice(option.length) : "";
    // The value is one text, so the message leaves out the place within it: `rateLimit.perSecond`, `auth.tokens[1]`.
    if (/^(\[\d+\])?[.: ]/.test(rest)) return source + rest.replace(/^(\[\d+\])?(\.\w+)?/, "");
  }
  return file === undefined ? message : `${file}: ${message}`;
}
